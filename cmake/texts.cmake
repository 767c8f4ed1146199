# The texts of shaders that are compiled at run time, as a C file:
#
#   cmake -DSHADERS=<folder> -DTEXTS=<names, by commas> -DOUTPUT=<file> -P texts.cmake
cmake_policy(VERSION 3.20...3.25)

string(REPLACE "," ";" TEXTS "${TEXTS}")
set(arrays)
set(table)
foreach(name IN LISTS TEXTS)
    file(READ "${SHADERS}/${name}" bytes HEX)
    string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
    string(REGEX REPLACE "([^\n]{100})" "\\1\n" bytes "${bytes}")
    string(MAKE_C_IDENTIFIER "${name}" array)
    string(APPEND arrays "static const unsigned char ${array}[] = {\n${bytes}};\n")
    string(APPEND table "    {\"${name}\", (const char *)${array}, sizeof ${array}, NULL},\n")
endforeach()
file(WRITE "${OUTPUT}"
"/* Written by texts.cmake. */
#include \"operator/texts.h\"

${arrays}
const struct shader_text shader_texts[] = {
${table}};
const size_t shader_text_count = sizeof shader_texts / sizeof *shader_texts;
")
