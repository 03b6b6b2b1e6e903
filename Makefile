# The front door; the build itself is CMake's (CMakeLists.txt, CMakePresets.json).
PREFIX ?= /usr/local
FUZZ_SECONDS ?= 600
JOBS ?= 2
SOURCES = $$(git ls-files '*.c' '*.h')

.PHONY: all help demo check asan bench format format-check install fuzz clean

all: build/build.ninja
	cmake --build build -j $(JOBS)

build/build.ninja:
	cmake --preset release

help:
	@echo 'make              build/anholo, build/libanholo.so, build/libanholo.a'
	@echo 'make demo         the non-holonomic double pendulum (./demo)'
	@echo 'make check        every test (./check)'
	@echo 'make asan         every test under the address and undefined-behaviour sanitizers'
	@echo 'make bench        the benchmarks, as one table'
	@echo 'make fuzz         fuzzing, FUZZ_SECONDS=$(FUZZ_SECONDS) in all'
	@echo 'make format       lay out the sources; make format-check only looks'
	@echo 'make install      PREFIX=$(PREFIX), DESTDIR honoured'
	@echo 'make clean        remove every build folder'

demo:
	./demo

check:
	./check

asan:
	cmake --preset asan
	scripts/run-tests build-asan

bench: all
	cmake --build build -j $(JOBS) --target bench_all
	bench/run.sh build

format:
	clang-format -i $(SOURCES)

format-check:
	clang-format --dry-run --Werror $(SOURCES)

install: all
	cmake --install build --prefix $(PREFIX)

fuzz:
	cmake --preset fuzz
	cmake --build build-fuzz -j $(JOBS)
	scripts/fuzz build-fuzz $(FUZZ_SECONDS)

clean:
	rm -rf build build-debug build-asan build-clang build-fuzz
