# make install: program, checker of proofs, libraries, headers, pkg-config file.

install(TARGETS anholo anholo_shared anholo_static RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR}
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(PROGRAMS tools/checkproof DESTINATION ${CMAKE_INSTALL_BINDIR})
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
