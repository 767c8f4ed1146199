# Writes the file that src/abi/entries.c includes, and the symbols that it calls, from the preprocessed public headers.
#
#   cmake -DHEADERS=<file> -DOUTPUT=<folder> -P entries.cmake
cmake_policy(VERSION 3.20...3.25)

file(READ "${HEADERS}" text)

set(entries "/* Written by entries.cmake. */\n")
set(symbols)
set(attribute "__attribute__ *\\(\\([^()]*(\\([^()]*\\))?[^()]*\\)\\)")
string(REPLACE "{" ";" text "${text}")
string(REPLACE "}" ";" text "${text}")
list(FILTER text INCLUDE REGEX "visibility *\\(\"default\"\\)")
foreach(declaration IN LISTS text)
    string(REGEX REPLACE "${attribute}" "" declaration "${declaration}")
    string(REGEX REPLACE "[ \n]+" " " declaration "${declaration}")
    if(NOT declaration MATCHES "^ *(.*[ *])(vks_[a-z0-9_]+) ?\\((.*)\\) *$")
        message(FATAL_ERROR "not a function: ${declaration}")
    endif()
    set(type "${CMAKE_MATCH_1}")
    set(name "${CMAKE_MATCH_2}")
    set(parameters "${CMAKE_MATCH_3}")
    # The name is the last word of a parameter; in a pointer to a function it is in brackets.
    string(REGEX REPLACE "\\( ?\\* ?([A-Za-z0-9_]+) ?\\) ?\\([^()]*\\)" " \\1" arguments "${parameters}")
    string(REGEX REPLACE "\\[[^]]*\\]" "" arguments "${arguments}")
    string(REGEX REPLACE "[^,]*[ *]([A-Za-z0-9_]+) *(,|$)" "\\1\\2" arguments "${arguments}")
    string(REGEX REPLACE "^void$" "" arguments "${arguments}")
    string(APPEND entries "ENTRY(${type}, ${name}, (${parameters}), (${arguments}))\n")
    string(APPEND symbols "${name} body_${name}\n")
endforeach()
file(WRITE "${OUTPUT}/entries.inc" "${entries}")
file(WRITE "${OUTPUT}/entries.symbols" "${symbols}")
