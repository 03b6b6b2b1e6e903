# Tests: each prints TAP lines; scripts/total.awk adds them up from the log of ctest.
#
#   src/<module>/test/t_*.c   one program t_<module>, linked with the modules not above it
#   tests/t_*.c               one program each, linked with everything
#   tests/*.py                scripts that look at the program, the sources and the documents
#   fuzz/fuzz_<name>.c        replay_<name> replays fuzz/corpus/<name>/; with AH_FUZZ a libFuzzer
#                             program instead, target fuzz_all
#   bench/bench_*.c           programs of the target bench_all
enable_testing()

file(GLOB harness CONFIGURE_DEPENDS tests/harness/*.c)
add_library(ah_harness OBJECT ${harness})
target_include_directories(ah_harness PRIVATE include)
target_compile_definitions(ah_harness PRIVATE AH_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
set(harness $<TARGET_OBJECTS:ah_harness>)

# Eighty programs of six hundred objects each: gold takes half of the usual linker's time for them.
include(CheckLinkerFlag)
check_linker_flag(C -fuse-ld=gold AH_GOLD)

# A program of ours that looks inside: all headers, given objects.
function(ah_program name sources objects)
    add_executable(${name} ${sources} ${objects})
    target_include_directories(${name} PRIVATE include src tests/harness)
    target_compile_definitions(${name} PRIVATE AH_SOURCE_DIR="${CMAKE_SOURCE_DIR}"
                               AH_VERSION="${PROJECT_VERSION}")
    target_link_libraries(${name} PRIVATE ${AH_LIBRARIES} ${AH_STATIC_LIBRARIES})
    if(AH_GOLD AND NOT AH_SANITIZE AND NOT AH_FUZZ)
        target_link_options(${name} PRIVATE -fuse-ld=gold)
    endif()
endfunction()

function(ah_test name)
    add_test(NAME ${name} COMMAND ${ARGN})
    list(JOIN AH_DEFINES " " defines)
    set(environment AH_BUILD_DIR=${CMAKE_BINARY_DIR} AH_CC=${CMAKE_C_COMPILER}
                    AH_DEFINES=${defines} AH_SANITIZED=$<BOOL:${AH_SANITIZE}>)
    set_tests_properties(${name} PROPERTIES ENVIRONMENT "${environment}") # no TIMEOUT: it would win over --timeout
endfunction()

foreach(entry IN LISTS modules)
    string(REPLACE ":" ";" entry ${entry})
    list(GET entry 0 module)
    list(GET entry 1 rank)
    file(GLOB sources CONFIGURE_DEPENDS src/${module}/test/t_*.c)
    if(sources)
        ah_program(t_${module} "${sources}" "${harness};${objects_to_rank_${rank}}")
        ah_test(t_${module} t_${module})
        set_tests_properties(t_${module} PROPERTIES LABELS unit)
    endif()
endforeach()

file(GLOB programs CONFIGURE_DEPENDS tests/t_*.c)
foreach(source IN LISTS programs)
    get_filename_component(name ${source} NAME_WE)
    ah_program(${name} ${source} "${harness};${all_objects};$<TARGET_OBJECTS:ah_tcc>")
    target_compile_definitions(${name} PRIVATE AH_PROGRAM="$<TARGET_FILE:anholo>")
    add_dependencies(${name} anholo)
    ah_test(${name} ${name})
endforeach()

file(GLOB scripts CONFIGURE_DEPENDS tests/*.py)
foreach(script IN LISTS scripts)
    get_filename_component(name ${script} NAME_WE)
    ah_test(${name} python3 ${script})
endforeach()
# What is hostile to the program itself is worth the sanitizers' time, too.
set_tests_properties(files hostile PROPERTIES LABELS robust)
# The longest begin first, so that none of them is left alone at the end.
set_tests_properties(browser html t_system differential checkproof forgery t_derive schemas worksheets trees t_many t_redundant rolling
                     export sweep hostile files t_compile player docs PROPERTIES COST 60)

# Examples are customers: public headers alone. tests/examples.py runs them.
file(GLOB programs CONFIGURE_DEPENDS examples/*.c)
foreach(source IN LISTS programs)
    get_filename_component(name ${source} NAME_WE)
    add_executable(example_${name} ${source})
    target_link_libraries(example_${name} PRIVATE anholo_static)
endforeach()

add_custom_target(fuzz_all)
file(GLOB targets CONFIGURE_DEPENDS fuzz/fuzz_*.c)
foreach(source IN LISTS targets)
    get_filename_component(target ${source} NAME_WE)
    string(REPLACE "fuzz_" "" name ${target})
    if(AH_FUZZ)
        ah_program(${target} ${source} "${all_objects};$<TARGET_OBJECTS:ah_tcc>")
        target_link_options(${target} PRIVATE -fsanitize=fuzzer)
        add_dependencies(fuzz_all ${target})
    else()
        ah_program(replay_${name} "${source};fuzz/replay.c" "${all_objects};$<TARGET_OBJECTS:ah_tcc>")
        if(name STREQUAL commands) # whole answers
            target_compile_definitions(replay_${name} PRIVATE AH_REPLAY_LIMIT=4.0)
        endif()
        ah_test(replay_${name} replay_${name} ${CMAKE_SOURCE_DIR}/fuzz/corpus/${name})
        set_tests_properties(replay_${name} PROPERTIES LABELS unit)
    endif()
endforeach()

add_custom_target(bench_all)
file(GLOB programs CONFIGURE_DEPENDS bench/bench_*.c)
foreach(source IN LISTS programs)
    get_filename_component(name ${source} NAME_WE)
    ah_program(${name} ${source} "${all_objects};$<TARGET_OBJECTS:ah_tcc>")
    target_compile_definitions(${name} PRIVATE AH_PROGRAM="$<TARGET_FILE:anholo>")
    set_target_properties(${name} PROPERTIES EXCLUDE_FROM_ALL ON)
    add_dependencies(${name} anholo)
    add_dependencies(bench_all ${name})
endforeach()

# Against CVODE, where it is there.
if(TARGET bench_motion AND CVODE_LIBRARY)
    target_compile_definitions(bench_motion PRIVATE AH_BENCH_CVODE)
endif()
