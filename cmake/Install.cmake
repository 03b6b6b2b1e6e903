# make install: program, checker of proofs, libraries, headers, pkg-config file, Python package, models, manual pages,
# completion, highlighting.

set(CMAKE_INSTALL_MESSAGE NEVER) # scripts/installed says what matters
install(TARGETS anholo anholo_shared anholo_static RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR}
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(PROGRAMS tools/checkproof DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY tools/proofcheck DESTINATION ${CMAKE_INSTALL_DATADIR}/anholo
        FILES_MATCHING PATTERN *.py PATTERN __pycache__ EXCLUDE)
install(DIRECTORY include/anholo DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

# Libs.private, for static linking: -lNAME of every library found.
set(AH_PC_LIBS_PRIVATE)
foreach(library IN LISTS AH_LIBRARIES AH_STATIC_LIBRARIES)
    get_filename_component(name ${library} NAME_WE)
    string(REGEX REPLACE "^lib" "" name ${name})
    string(APPEND AH_PC_LIBS_PRIVATE " -l${name}")
endforeach()
file(RELATIVE_PATH AH_PC_INCLUDEDIR /${CMAKE_INSTALL_LIBDIR}/pkgconfig /${CMAKE_INSTALL_INCLUDEDIR})
configure_file(cmake/anholo.pc.in anholo.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/anholo.pc
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# The Python package, where Python looks below a prefix; it finds the library beside itself wherever the whole is moved to.
option(AH_PYTHON "Install the Python package" ON)
find_program(PYTHON3 python3)
if(AH_PYTHON AND PYTHON3)
    execute_process(COMMAND ${PYTHON3} -c "import sysconfig; print(sysconfig.get_path('purelib', vars={'base': '', 'platbase': ''}))"
                    OUTPUT_VARIABLE AH_PYTHON_FOLDER OUTPUT_STRIP_TRAILING_WHITESPACE)
    string(REGEX REPLACE "^/(local/)?" "" AH_PYTHON_FOLDER "${AH_PYTHON_FOLDER}")
    install(DIRECTORY python/anholo DESTINATION ${AH_PYTHON_FOLDER}
            FILES_MATCHING PATTERN *.py PATTERN py.typed PATTERN __pycache__ EXCLUDE)
endif()

# Models, found by `anholo models` wherever the whole is moved to.
install(DIRECTORY models DESTINATION ${CMAKE_INSTALL_DATADIR}/anholo FILES_MATCHING PATTERN *.ah)

# Manual pages and completion: what the program itself knows of its commands (scripts/terminal-files).
set(terminal ${CMAKE_CURRENT_BINARY_DIR}/terminal)
add_custom_command(OUTPUT ${terminal}/done
    COMMAND ${CMAKE_SOURCE_DIR}/scripts/terminal-files $<TARGET_FILE:anholo> ${terminal}
    COMMAND ${CMAKE_COMMAND} -E touch ${terminal}/done
    DEPENDS anholo ${CMAKE_SOURCE_DIR}/scripts/terminal-files VERBATIM)
add_custom_target(terminal_files ALL DEPENDS ${terminal}/done)
install(FILES tools/checkproof.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(DIRECTORY ${terminal}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR})
install(FILES ${terminal}/anholo.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
        RENAME anholo)
install(FILES ${terminal}/_anholo DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES ${terminal}/anholo.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)

# Highlighting for editors.
install(DIRECTORY editors DESTINATION ${CMAKE_INSTALL_DATADIR}/anholo)
