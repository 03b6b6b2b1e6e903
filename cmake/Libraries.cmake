# The libraries we stand on, gathered in AH_LIBRARIES.
#
# FLINT 3 includes Arb; with FLINT 2 (Debian 12) Arb is a library of its own. FLINT's inline functions
# call GMP.

find_path(FLINT_INCLUDE_DIR flint/flint.h REQUIRED)
find_library(FLINT_LIBRARY flint REQUIRED)
find_library(GMP_LIBRARY gmp REQUIRED)
find_library(LAPACKE_LIBRARY lapacke REQUIRED)
find_library(LAPACK_LIBRARY lapack REQUIRED)

file(STRINGS ${FLINT_INCLUDE_DIR}/flint/flint.h flint_major
     REGEX "^#define __FLINT_VERSION[ \t]+[0-9]+")
string(REGEX REPLACE ".*__FLINT_VERSION[ \t]+([0-9]+).*" "\\1" flint_major "${flint_major}")

set(AH_LIBRARIES ${FLINT_LIBRARY} ${GMP_LIBRARY} ${LAPACKE_LIBRARY} ${LAPACK_LIBRARY} m)
if(flint_major GREATER_EQUAL 3)
    set(AH_DEFINES -DAH_WITH_FLINT3)
    add_compile_options(${AH_DEFINES})
else()
    find_library(ARB_LIBRARY NAMES flint-arb arb REQUIRED)
    list(PREPEND AH_LIBRARIES ${ARB_LIBRARY})
endif()

# libtcc compiles equations in memory; without it they are interpreted, or compiled by the system's cc.
find_path(TCC_INCLUDE_DIR libtcc.h)
find_library(TCC_LIBRARY tcc)
if(TCC_INCLUDE_DIR AND TCC_LIBRARY)
    add_compile_definitions(AH_WITH_TCC)
    set(AH_STATIC_LIBRARIES ${TCC_LIBRARY}) # of programs and the static library alone
endif()
find_package(Threads REQUIRED)
list(APPEND AH_LIBRARIES ${CMAKE_DL_LIBS} ${CMAKE_THREAD_LIBS_INIT})

# KLU factors the large sparse systems of chains of bodies.
find_path(KLU_INCLUDE_DIR klu.h PATH_SUFFIXES suitesparse)
find_library(KLU_LIBRARY klu)
if(KLU_INCLUDE_DIR AND KLU_LIBRARY)
    add_compile_definitions(AH_WITH_KLU)
    include_directories(SYSTEM ${KLU_INCLUDE_DIR})
    list(APPEND AH_LIBRARIES ${KLU_LIBRARY})
endif()

# SUNDIALS integrates what is stiff and what is a differential-algebraic system.
find_path(SUNDIALS_INCLUDE_DIR cvode/cvode.h)
find_library(CVODE_LIBRARY sundials_cvode)
find_library(IDA_LIBRARY sundials_ida)
find_library(NVECSERIAL_LIBRARY sundials_nvecserial)
find_library(SUNDIALS_CORE_LIBRARY sundials_core) # since version 7
# Since version 7 its headers want those of MPI where it was built with it (Debian 13).
set(sundials_mpi)
if(SUNDIALS_INCLUDE_DIR AND SUNDIALS_CORE_LIBRARY)
    file(STRINGS ${SUNDIALS_INCLUDE_DIR}/sundials/sundials_config.h sundials_mpi
         REGEX "^#define SUNDIALS_MPI_ENABLED +1")
endif()
if(sundials_mpi)
    find_package(MPI QUIET COMPONENTS C)
    if(MPI_C_FOUND)
        include_directories(SYSTEM ${MPI_C_INCLUDE_DIRS})
        foreach(folder IN LISTS MPI_C_INCLUDE_DIRS)
            list(APPEND AH_DEFINES -isystem${folder})
        endforeach()
    else()
        message(STATUS "SUNDIALS was built with MPI, which was not found: it is left out")
        unset(CVODE_LIBRARY)
        unset(CVODE_LIBRARY CACHE)
    endif()
endif()
if(SUNDIALS_INCLUDE_DIR AND CVODE_LIBRARY AND IDA_LIBRARY AND NVECSERIAL_LIBRARY)
    add_compile_definitions(AH_WITH_SUNDIALS)
    list(APPEND AH_LIBRARIES ${CVODE_LIBRARY} ${IDA_LIBRARY} ${NVECSERIAL_LIBRARY})
    if(SUNDIALS_CORE_LIBRARY)
        list(APPEND AH_LIBRARIES ${SUNDIALS_CORE_LIBRARY})
    endif()
    if(sundials_mpi)
        list(APPEND AH_LIBRARIES ${MPI_C_LIBRARIES})
    endif()
endif()

# The program holds LAPACK, KLU and SUNDIALS in itself where their archives are to be had: finding these libraries and
# binding their names is half of the time in which the program starts. The others, and everything where an archive is missing, are
# shared. AH_PROGRAM_LIBRARIES is what the program is linked with; the libraries of ours stay with AH_LIBRARIES.
include(CheckCSourceCompiles)
option(AH_BUNDLE "The program holds LAPACK, KLU and SUNDIALS in itself" ON)
set(AH_PROGRAM_LIBRARIES ${AH_LIBRARIES})

# The file of an archive that stands beside the shared library of that name, or the compiler's own.
function(ah_find_archive out name)
    find_library(AH_ARCHIVE_${name} lib${name}.a)
    set(found ${AH_ARCHIVE_${name}})
    if(NOT found)
        execute_process(COMMAND ${CMAKE_C_COMPILER} -print-file-name=lib${name}.a OUTPUT_VARIABLE found
                        OUTPUT_STRIP_TRAILING_WHITESPACE)
        if(NOT IS_ABSOLUTE "${found}")
            set(found)
        endif()
    endif()
    set(${out} ${found} PARENT_SCOPE)
endfunction()

# Replaces the shared library by archives, if all of them are there and hold all that the function needs:
# ah_bundle(LIBRARY FUNCTION archive …). (Debian 13's libsuitesparseconfig.a wants OpenMP.)
function(ah_bundle library function)
    set(archives)
    foreach(name IN LISTS ARGN)
        ah_find_archive(file ${name})
        if(NOT file)
            return()
        endif()
        list(APPEND archives ${file})
    endforeach()
    set(CMAKE_REQUIRED_LIBRARIES ${archives} m)
    check_c_source_compiles("char ${function}(void); int main(void) { return ${function}(); }" AH_LINKS_${function})
    if(NOT AH_LINKS_${function})
        return()
    endif()
    list(TRANSFORM AH_PROGRAM_LIBRARIES REPLACE "^${library}$" "${archives}")
    set(AH_PROGRAM_LIBRARIES ${AH_PROGRAM_LIBRARIES} PARENT_SCOPE)
endfunction()

if(AH_BUNDLE AND NOT AH_SANITIZE)
    set(fortran lapacke tmglib lapack blas gfortran)
    if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|amd64|i.86|ppc64")
        list(APPEND fortran quadmath)
    endif()
    ah_bundle(${LAPACKE_LIBRARY} LAPACKE_dgesvd ${fortran})
    if(NOT AH_PROGRAM_LIBRARIES STREQUAL AH_LIBRARIES)
        list(REMOVE_ITEM AH_PROGRAM_LIBRARIES ${LAPACK_LIBRARY}) # it is among the archives
    endif()
    if(KLU_LIBRARY)
        ah_bundle(${KLU_LIBRARY} klu_refactor klu btf colamd amd suitesparseconfig)
    endif()
    if(NOT SUNDIALS_CORE_LIBRARY) # before version 7, without MPI
        set(parts cvode ida nvecserial)
        set(functions CVode IDASolve N_VNew_Serial)
        foreach(part function IN ZIP_LISTS parts functions)
            string(TOUPPER ${part} variable)
            if(${variable}_LIBRARY)
                ah_bundle(${${variable}_LIBRARY} ${function} sundials_${part})
            endif()
        endforeach()
    endif()
    list(APPEND AH_PROGRAM_LIBRARIES m)
endif()
