# The two libraries that are installed. Both are made of one object: all of vksolve_internal, linked relocatably, and the entries
# by which programs call it; hidden symbols are made local. So the static library, too, adds only vks_* to a program's name
# space. (--keep-global-symbol is for symbols that gcc leaves visible: resolvers of target_clones.)

# Preprocesses public headers: the object of the target is a text. CMake then calls the compiler correctly, also in cross
# builds or through a launcher, and tracks the headers that the text depends on.
function(vks_preprocess target lines)
    file(CONFIGURE OUTPUT "${CMAKE_CURRENT_BINARY_DIR}/${target}.c" CONTENT "${lines}" @ONLY)
    add_library(${target} OBJECT "${CMAKE_CURRENT_BINARY_DIR}/${target}.c")
    target_include_directories(${target} PRIVATE include)
    target_include_directories(${target} SYSTEM PRIVATE "${VKS_VULKAN_HEADERS}")
    target_compile_options(${target} PRIVATE -E -g0) # -g3 would add the definitions of macros
endfunction()

# The entries get the names of the functions, which are renamed to body_*. A function without an entry is not exported.
vks_preprocess(vksolve_entries_headers "#include <vksolve/vksolve.h>\n#include <vksolve/vulkan.h>\n")
target_compile_options(vksolve_entries_headers PRIVATE -P)
set(entries "${CMAKE_CURRENT_BINARY_DIR}/entries")
add_custom_command(
    OUTPUT "${entries}/entries.inc" "${entries}/entries.symbols"
    COMMAND "${CMAKE_COMMAND}" "-DHEADERS=$<TARGET_OBJECTS:vksolve_entries_headers>" "-DOUTPUT=${entries}"
            -P "${PROJECT_SOURCE_DIR}/cmake/entries.cmake"
    DEPENDS vksolve_entries_headers $<TARGET_OBJECTS:vksolve_entries_headers> cmake/entries.cmake
    COMMENT "Writing the entries of the library"
    VERBATIM)
add_library(vksolve_entries OBJECT src/abi/entries.c "${entries}/entries.inc")
target_include_directories(vksolve_entries PRIVATE include src "${entries}")
target_include_directories(vksolve_entries SYSTEM PRIVATE "${VKS_VULKAN_HEADERS}")

set(bodies "${CMAKE_CURRENT_BINARY_DIR}/bodies.o")
set(object "${CMAKE_CURRENT_BINARY_DIR}/vksolve.o")
add_custom_command(
    OUTPUT "${object}"
    COMMAND ${CMAKE_LINKER} -r -d -o "${bodies}" --whole-archive $<TARGET_FILE:vksolve_internal>
    COMMAND ${CMAKE_OBJCOPY} "--redefine-syms=${entries}/entries.symbols" "${bodies}"
    COMMAND ${CMAKE_OBJCOPY} --wildcard --localize-symbol=vks_* "${bodies}"
    COMMAND ${CMAKE_LINKER} -r -d -o "${object}" "${bodies}" $<TARGET_OBJECTS:vksolve_entries>
    COMMAND ${CMAKE_OBJCOPY} --localize-hidden --wildcard --keep-global-symbol=vks_* "${object}"
    DEPENDS vksolve_internal vksolve_entries $<TARGET_OBJECTS:vksolve_entries> "${entries}/entries.symbols"
    COMMENT "Joining the library into one object"
    COMMAND_EXPAND_LISTS
    VERBATIM)
set_source_files_properties("${object}" PROPERTIES EXTERNAL_OBJECT TRUE)
add_custom_target(vksolve_object DEPENDS "${object}")

add_library(vksolve SHARED "${object}")
add_library(vksolve_static STATIC "${object}")

foreach(library vksolve vksolve_static)
    add_library(vksolve::${library} ALIAS ${library})
    add_dependencies(${library} vksolve_object)
    target_include_directories(${library} INTERFACE
        $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    set_target_properties(${library} PROPERTIES LINKER_LANGUAGE C OUTPUT_NAME vksolve)
endforeach()

# Plain names, for the compiler and for pkg-config: a user needs no CMake module for them.
set(VKS_LIBRARIES -pthread -lz -lm -ldl)
target_link_libraries(vksolve_static INTERFACE ${VKS_LIBRARIES})

set_target_properties(vksolve PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
target_link_libraries(vksolve PRIVATE ZLIB::ZLIB Threads::Threads m ${CMAKE_DL_LIBS})
# No symbol may stay undefined: so a call into LAPACK, which only the command may use, fails here.
if(NOT CMAKE_C_FLAGS MATCHES "-fsanitize") # clang links its sanitizers into the program only
    target_link_options(vksolve PRIVATE LINKER:-z,defs)
endif()
