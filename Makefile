# The front door; the build itself is CMake's (CMakeLists.txt, CMakePresets.json).
PREFIX ?= /usr/local
FUZZ_SECONDS ?= 600
FUZZ_RUNS ?= 100000
N ?= 1000
SEED ?= 1
SOURCES = $(shell find include src tests fuzz bench -name '*.[ch]')

.PHONY: all help demo check full check-browser differential screenshots site packages asan bench format format-check \
	install fuzz fuzz-commands analyse coverage clean

all:
	cmake --preset release -DCMAKE_INSTALL_PREFIX='$(PREFIX)'
	cmake --build --preset release --target anholo anholo_shared anholo_static terminal_files

help:
	@echo 'make              build/anholo, build/libanholo.so, build/libanholo.a'
	@echo 'make demo         the non-holonomic double pendulum (./demo)'
	@echo 'make check        every test (./check)'
	@echo 'make full         what takes longer than a check: the proofs of all models, every failing'
	@echo '                  allocation, killed runs, every export, every command under the sanitizers'
	@echo 'make check-browser   the pages of `anholo report` in Chromium, which it installs'
	@echo 'make screenshots     the pictures in docs/images'
	@echo 'make site         documents and the gallery of models as a static site, build/site'
	@echo 'make packages     Debian packages, built and tried in a clean chroot'
	@echo 'make differential    N=$(N) random systems of SEED=$(SEED) against another evaluation'
	@echo 'make asan         every test under the address and undefined-behaviour sanitizers'
	@echo 'make bench        the benchmarks'
	@echo 'make fuzz         fuzzing, FUZZ_SECONDS=$(FUZZ_SECONDS) in all'
	@echo 'make fuzz-commands   $(FUZZ_RUNS) mutated models through whole commands, under the sanitizers'
	@echo 'make analyse      the static analysers of clang and gcc over all sources'
	@echo 'make coverage     branches that the tests take, module by module'
	@echo 'make format       lay out the sources; make format-check only looks'
	@echo 'make install      PREFIX=$(PREFIX), DESTDIR honoured'
	@echo 'make clean        remove every build folder'

demo:
	./demo

check:
	./check

full: all
	tests/checkproof.py all
	tests/mutants.py all
	scripts/build release
	. scripts/setup.sh && need python site browser latex
	scripts/check-site
	AH_FULL=1 AH_ALL=1 scripts/run-tests build -R '^(browser|files|forgery|formulas|html|python|starved|sweep|t_derive|t_exhausted|t_system|worksheets)$$' --timeout 14400
	AH_FULL=1 scripts/export-all build c js python octave fmu2 fmu3 fmu2x fmu3x
	scripts/export-arm build
	scripts/build asan anholo
	scripts/every-command build-asan models/*.ah models/*/*.ah

check-browser:
	scripts/check-browser

screenshots: all
	. scripts/setup.sh && need browser tests
	scripts/screenshots

site: all
	. scripts/setup.sh && need site
	/usr/bin/python3 scripts/site

packages:
	. scripts/setup.sh && need packages
	scripts/package

differential:
	scripts/build release anholo
	tests/differential.py -n $(N) -s $(SEED)

asan:
	scripts/build asan
	scripts/run-tests build-asan

bench:
	scripts/build release bench_all anholo_shared
	bash -o pipefail -c 'bench/run.sh build | tee build/bench.txt'

fuzz:
	scripts/build fuzz fuzz_all
	scripts/fuzz build-fuzz $(FUZZ_SECONDS)

fuzz-commands:
	scripts/build fuzz fuzz_commands
	scripts/fuzz build-fuzz 0 commands $(FUZZ_RUNS)

analyse:
	scripts/analyse

coverage:
	scripts/build coverage
	-scripts/run-tests build-coverage --timeout 3600 -E '^files$$'
	-scripts/run-tests build-coverage --timeout 3600 -R '^files$$' # it kills programs, some while they write their counts
	scripts/coverage build-coverage

format:
	clang-format -i $(SOURCES)

format-check:
	clang-format --dry-run --Werror $(SOURCES)

install: all
	cmake --install build --prefix '$(PREFIX)'
	@[ -n '$(DESTDIR)' ] || scripts/installed '$(PREFIX)'

clean:
	rm -rf build build-debug build-asan build-clang build-coverage build-fuzz
