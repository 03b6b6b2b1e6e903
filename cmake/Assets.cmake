# Files that become constant arrays in the library (module cli: in the program): a table of name, text, length
# and SHA-256.
function(ah_assets module header type table)
    set(arrays "")
    set(entries "")
    foreach(asset IN LISTS ARGN)
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
    file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/${module}_assets.c CONTENT
"/* Made by cmake/Assets.cmake. */
#include \"${header}\"

${arrays}
const ${type} ${table}[] = {
${entries}    {0},
};
" @ONLY)
    set(target ah_${module})
    if(module STREQUAL cli)
        set(target anholo)
    endif()
    target_sources(${target} PRIVATE ${CMAKE_BINARY_DIR}/${module}_assets.c)
    set_source_files_properties(${CMAKE_BINARY_DIR}/${module}_assets.c PROPERTIES
                                INCLUDE_DIRECTORIES ${CMAKE_SOURCE_DIR}/src)
endfunction()

# Scripts and styles of pages; the hash is for their content-security policy (src/report/assets.h).
file(GLOB assets CONFIGURE_DEPENDS src/report/web/*.css src/report/web/*.js)
ah_assets(report report/assets.h asset report_assets ${assets})

# What exported files are made from (src/export/exported.h).
file(GLOB assets CONFIGURE_DEPENDS src/export/templates/*)
ah_assets(export export/exported.h template_file export_templates ${assets})

# Topics of `anholo help` and the models that `anholo new` begins with (src/cli/cli.h).
file(GLOB assets CONFIGURE_DEPENDS src/cli/topics/*.txt src/cli/starters/*.ah)
ah_assets(cli cli/cli.h cli_text cli_texts ${assets})
