# The files of src/report/web become constant arrays in the library, with their SHA-256 for the
# content-security policy of the pages they go into (src/report/assets.h).
file(GLOB assets CONFIGURE_DEPENDS src/report/web/*.css src/report/web/*.js)
set(arrays "")
set(entries "")
foreach(asset IN LISTS assets)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${asset})
    get_filename_component(name ${asset} NAME)
    string(MAKE_C_IDENTIFIER ${name} identifier)
    file(READ ${asset} bytes HEX)
    file(SHA256 ${asset} hash)
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${bytes}")
    string(APPEND arrays "static const char ${identifier}[] = {${bytes}'\\0'};\n")
    string(APPEND entries
           "    {\"${name}\", ${identifier}, sizeof ${identifier} - 1, \"${hash}\"},\n")
endforeach()
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/report_assets.c CONTENT
"/* Made by cmake/Assets.cmake. */
#include \"report/assets.h\"

${arrays}
const asset report_assets[] = {
${entries}    {0},
};
")
target_sources(ah_report PRIVATE ${CMAKE_BINARY_DIR}/report_assets.c)
set_source_files_properties(${CMAKE_BINARY_DIR}/report_assets.c PROPERTIES
                            INCLUDE_DIRECTORIES ${CMAKE_SOURCE_DIR}/src)
