# The two libraries that are installed. Both are made of one object: all of vksolve_internal, linked relocatably, its
# hidden symbols made local. So the static library, too, brings nothing into a program's name space but vks_*. (--keep-global-symbol
# is for what gcc leaves visible: resolvers of target_clones.)

set(object "${CMAKE_CURRENT_BINARY_DIR}/vksolve.o")
add_custom_command(
    OUTPUT "${object}"
    COMMAND ${CMAKE_LINKER} -r -d -o "${object}" --whole-archive $<TARGET_FILE:vksolve_internal>
    COMMAND ${CMAKE_OBJCOPY} --localize-hidden --wildcard --keep-global-symbol=vks_* "${object}"
    DEPENDS vksolve_internal
    COMMENT "Joining the library into one object"
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

# By plain name, as the compiler and pkg-config take them: a user needs no CMake module for them.
set(VKS_LIBRARIES -pthread -lz -lm -ldl)
target_link_libraries(vksolve_static INTERFACE ${VKS_LIBRARIES})

set_target_properties(vksolve PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
target_link_libraries(vksolve PRIVATE ZLIB::ZLIB Threads::Threads m ${CMAKE_DL_LIBS})
# Nothing may stay undefined: so a call into LAPACK, which is the command's alone, fails here.
target_link_options(vksolve PRIVATE LINKER:-z,defs)
