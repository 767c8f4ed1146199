# The kernels: shaders/<area>/<name>.comp, which includes each.glsl and is its own twin, or has its twin in
# src/host/<area>/<name>.c. Both are found by name: a new kernel is one or two files and needs no other edit.
#
#   include(cmake/kernels.cmake)
#   vks_kernels(kernels)
#
# makes, from the tree at PROJECT_SOURCE_DIR:
#
#   kernels_headers   INTERFACE: the folder of the generated "kernels.h" (enum, argument structs, KERNELS lists) and
#                     "twins_isas.h" (VKS_ISAS), plus the root, src/ and include/. Link it PRIVATE to targets
#                     that include them; it also sets the build order.
#   kernels           INTERFACE: kernels_headers, the objects of kernels.c and of every twin.
#                     Link it once, PRIVATE, to the STATIC or SHARED library (not to an OBJECT library):
#                         target_link_libraries(vksolve PRIVATE $<BUILD_INTERFACE:kernels>)
#                     BUILD_INTERFACE keeps it out of an installed export.
#   kernels_generator The program of cmake/generate/ that reflects, checks and embeds the shaders.
#   kernels_twins_<scalar>_<isa>
#                     OBJECT: the twins and src/host/twins.c for a scalar type (a row of src/scalar/scalar.h) and an
#                     instruction set; if the type is not its own element, the twins of kernels that take `values`.
#                     All other files of src/host/ belong to the library itself.
#
# Option VKS_HOST_ISAS: the instruction sets to build twins for (default: all that the compiler supports). `base`
# is always kept as the fallback. Warnings, -Werror and sanitizers are the caller's global flags. This file adds the flags for
# equal bits (-ffp-contract=off) and for speed (the instruction set and, except in Debug, the optimisation).
cmake_policy(VERSION 3.20...3.25)

set(VKS_SUBGROUPS 0 1) # values of SUBGROUP that every shader is compiled with, for each scalar type

# Sets VKS_SCALARS to the names of the scalar types, VKS_ELEMENTS to those that are their own elements, and for each NAME
# VKS_<NAME>_name, VKS_<NAME>_element, VKS_<NAME>_bits of an element, and VKS_<NAME>_macros of shaders and twins.
macro(vks_read_scalars)
    set(table "${PROJECT_SOURCE_DIR}/src/scalar/scalar.h")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${table}")
    file(STRINGS "${table}" rows REGEX "^ +X\\([A-Z0-9]+, *[a-z0-9]+,")
    string(REPLACE "\\" "" rows "${rows}") # at the ends of the table's lines
    set(bits_float 32)
    set(bits_double 64)
    set(VKS_SCALARS)
    set(VKS_ELEMENTS)
    foreach(row IN LISTS rows)
        string(REGEX MATCHALL "[A-Za-z0-9]+" words "${row}")
        list(GET words 1 NAME)
        list(GET words 2 VKS_${NAME}_name)
        list(GET words 3 type)
        list(GET words 4 VKS_${NAME}_element)
        list(GET words 6 stored)
        list(APPEND VKS_SCALARS ${NAME})
        if(NOT bits_${type} OR NOT VKS_${NAME}_element IN_LIST VKS_SCALARS OR NOT stored IN_LIST VKS_SCALARS)
            message(FATAL_ERROR "${table}: the row of ${NAME} has an unknown type, or an element or a stored type of a later row")
        endif()
        set(VKS_${NAME}_bits ${bits_${type}})
        set(VKS_${NAME}_macros REAL=${VKS_${NAME}_bits})
        if(NAME STREQUAL VKS_${NAME}_element)
            list(APPEND VKS_ELEMENTS ${NAME})
        endif()
        if(NOT stored STREQUAL VKS_${NAME}_element)
            list(APPEND VKS_${NAME}_macros STORED=${VKS_${stored}_bits})
        endif()
    endforeach()
endmacro()

set(VKS_HOST_ISAS base v3 v4 CACHE STRING "Instruction sets to build host twins for: base and any of v3, v4")

# The compiler's flag for each instruction set except base, which uses the global flags alone.
set(VKS_ISA_v3_FLAG -march=x86-64-v3)
set(VKS_ISA_v4_FLAG -march=x86-64-v4)

include(CheckCCompilerFlag)

# Sets `out` to the sets of VKS_HOST_ISAS that this processor's architecture and the compiler support, the plainest first.
function(vks_host_isas out)
    foreach(isa IN LISTS VKS_HOST_ISAS)
        if(NOT isa MATCHES "^(base|v3|v4)$")
            message(FATAL_ERROR "VKS_HOST_ISAS: \"${isa}\" is none of base, v3, v4")
        endif()
    endforeach()
    set(isas base)
    if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
        foreach(isa v3 v4)
            if(isa IN_LIST VKS_HOST_ISAS)
                check_c_compiler_flag(${VKS_ISA_${isa}_FLAG} VKS_COMPILER_HAS_${isa})
                if(VKS_COMPILER_HAS_${isa})
                    list(APPEND isas ${isa})
                endif()
            endif()
        endforeach()
    endif()
    set(${out} ${isas} PARENT_SCOPE)
endfunction()

# The program that checks and embeds the shaders, and the shader compiler.
function(vks_kernel_tools name)
    find_program(VKS_GLSLC glslc HINTS ENV VULKAN_SDK PATH_SUFFIXES bin)
    find_path(VKS_SPIRV_CROSS_INCLUDE spirv_cross/spirv_cross_c.h HINTS ENV VULKAN_SDK PATH_SUFFIXES include)
    find_library(VKS_SPIRV_CROSS_LIBRARY spirv-cross-c-shared HINTS ENV VULKAN_SDK PATH_SUFFIXES lib)
    if(NOT VKS_GLSLC)
        message(FATAL_ERROR "glslc, which compiles the kernels, was not found. On Debian and Ubuntu: apt install glslc")
    endif()
    if(NOT VKS_SPIRV_CROSS_INCLUDE OR NOT VKS_SPIRV_CROSS_LIBRARY)
        message(FATAL_ERROR "SPIRV-Cross's C library, which reflects the kernels, was not found. "
                            "On Debian and Ubuntu: apt install libspirv-cross-c-shared-dev")
    endif()
    file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/generate/*.c")
    set(shared "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../src") # the library's own SPIR-V code
    add_executable(${name}_generator ${sources} "${shared}/device/spirv.c" "${shared}/device/spirv_addresses.c"
                   "${shared}/device/spirv_pack.c")
    set_target_properties(${name}_generator PROPERTIES C_STANDARD 17 C_STANDARD_REQUIRED ON C_EXTENSIONS OFF)
    target_compile_options(${name}_generator PRIVATE -Wall -Wextra -Wpedantic)
    target_include_directories(${name}_generator PRIVATE "${shared}")
    target_include_directories(${name}_generator SYSTEM PRIVATE "${VKS_SPIRV_CROSS_INCLUDE}")
    target_link_libraries(${name}_generator PRIVATE "${VKS_SPIRV_CROSS_LIBRARY}" ZLIB::ZLIB)
endfunction()

# Sets `out` to whether the shader ("sparse/spmv_csr"), or a file that it includes itself, has a line "values NAME;": a
# member of its ARGS, which the generator checks. It is then also compiled for values that are stored narrower.
function(vks_takes_values out path)
    set(shaders "${PROJECT_SOURCE_DIR}/shaders")
    file(STRINGS "${shaders}/${path}.comp" includes REGEX "^#include \"[^\"]+\"")
    list(TRANSFORM includes REPLACE "^#include \"([^\"]+)\".*" "\\1")
    set(${out} FALSE PARENT_SCOPE)
    foreach(file IN ITEMS "${path}.comp" LISTS includes)
        if(EXISTS "${shaders}/${file}")
            set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${shaders}/${file}")
            file(STRINGS "${shaders}/${file}" lines REGEX "^ *values +[A-Za-z_0-9]+;")
            if(lines)
                set(${out} TRUE PARENT_SCOPE)
            endif()
        endif()
    endforeach()
endfunction()

# Compiles the given shaders ("sparse/spmv_csr") with `macros` into `folder`; sets `out` to the files. Runs one glslc for all:
# its start takes 20 times as long as a shader.
function(vks_compile_shaders folder macros out)
    set(shaders "${PROJECT_SOURCE_DIR}/shaders")
    file(GLOB_RECURSE includes CONFIGURE_DEPENDS "${shaders}/*.glsl" "${shaders}/*.h")
    file(MAKE_DIRECTORY "${folder}")
    set(files)
    foreach(path IN LISTS ARGN)
        get_filename_component(name "${path}" NAME)
        list(APPEND files "${folder}/${name}.comp.spv")
    endforeach()
    list(REMOVE_DUPLICATES files) # of two shaders with one name, which the generator rejects
    list(TRANSFORM ARGN REPLACE "(.+)" "${shaders}/\\1.comp" OUTPUT_VARIABLE sources)
    list(TRANSFORM macros PREPEND "-D" OUTPUT_VARIABLE defines)
    list(JOIN macros " " words)
    add_custom_command(
        OUTPUT ${files}
        COMMAND "${VKS_GLSLC}" -std=460 -fshader-stage=compute --target-env=vulkan1.2 -O0 -Werror -I "${shaders}"
                ${defines} -c ${sources}
        DEPENDS ${sources} ${includes}
        WORKING_DIRECTORY "${folder}"
        COMMENT "Compiling the shaders, ${words}"
        VERBATIM)
    set(${out} ${files} PARENT_SCOPE)
endfunction()

# Compiles `kernels` for each scalar type, only `taking_values` if the type is not its own element, each variant to a
# folder of `spirv`; sets `out` to the files.
function(vks_compile_variants spirv kernels taking_values out)
    set(all)
    foreach(subgroup IN LISTS VKS_SUBGROUPS)
        foreach(scalar IN LISTS VKS_SCALARS)
            set(those ${taking_values})
            if(scalar IN_LIST VKS_ELEMENTS)
                set(those ${kernels})
            endif()
            if(those)
                vks_compile_shaders("${spirv}/${scalar}.s${subgroup}" "${VKS_${scalar}_macros};SUBGROUP=${subgroup}" files
                    ${those})
                list(APPEND all ${files})
            endif()
        endforeach()
    endforeach()
    set(${out} ${all} PARENT_SCOPE)
endfunction()

# Sets `out` to the matching files of PROJECT_SOURCE_DIR/<root>, without root and suffix.
function(vks_find out root suffix)
    file(GLOB files CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}/${root}" ${ARGN})
    list(TRANSFORM files REPLACE "\\.${suffix}$" "")
    set(${out} ${files} PARENT_SCOPE)
endfunction()

# Reflects all shaders into kernels.h, arguments.h and kernels.c in <folder>/include.
function(vks_generate name folder)
    set(shaders "${PROJECT_SOURCE_DIR}/shaders")
    vks_find(kernels shaders comp "${shaders}/*.comp" "${shaders}/*/*.comp" "${shaders}/*/*/*.comp")
    vks_find(twins src/host c "${PROJECT_SOURCE_DIR}/src/host/*/*.c")

    list(JOIN VKS_SUBGROUPS " " subgroups)
    set(manifest "subgroups ${subgroups}\n")
    foreach(scalar IN LISTS VKS_SCALARS)
        string(APPEND manifest "scalar ${scalar} ${VKS_${scalar}_element}\n")
    endforeach()
    set(taking_values)
    set(own_twins)
    foreach(kernel IN LISTS kernels)
        string(APPEND manifest "shader ${kernel}\n")
        file(STRINGS "${shaders}/${kernel}.comp" each REGEX "^#include \"each.glsl\"")
        if(each)
            string(APPEND manifest "each ${kernel}\n")
            list(APPEND own_twins "${kernel}")
        endif()
        vks_takes_values(takes "${kernel}")
        if(takes)
            string(APPEND manifest "values ${kernel}\n")
            list(APPEND taking_values "${kernel}")
        endif()
    endforeach()
    vks_compile_variants("${folder}/spv" "${kernels}" "${taking_values}" compiled)
    set(VKS_TAKING_VALUES ${taking_values} PARENT_SCOPE)
    set(VKS_OWN_TWINS ${own_twins} PARENT_SCOPE)
    set(VKS_ALL_KERNELS ${kernels} PARENT_SCOPE)
    foreach(twin IN LISTS twins)
        string(APPEND manifest "twin ${twin}\n")
    endforeach()
    file(CONFIGURE OUTPUT "${folder}/manifest" CONTENT "${manifest}" @ONLY)

    # The stamp gets the time of the run, so that kernels.h keeps its time while its content is unchanged.
    add_custom_command(
        OUTPUT "${folder}/stamp"
        BYPRODUCTS "${folder}/include/kernels.h" "${folder}/include/arguments.h" "${folder}/include/kernels.c"
        COMMAND ${name}_generator "${folder}/manifest" "${folder}/spv" "${folder}/include"
        COMMAND "${CMAKE_COMMAND}" -E touch "${folder}/stamp"
        DEPENDS ${compiled} "${folder}/manifest" ${name}_generator
        COMMENT "Reflecting and embedding the kernels"
        VERBATIM)
    add_custom_target(${name}_generated DEPENDS "${folder}/stamp")
endfunction()

# An OBJECT library of this project's C whose objects go into `name`.
function(vks_kernel_objects name target)
    add_library(${target} OBJECT ${ARGN})
    set_target_properties(${target} PROPERTIES C_STANDARD 17 C_STANDARD_REQUIRED ON C_EXTENSIONS OFF
                                               POSITION_INDEPENDENT_CODE ON C_VISIBILITY_PRESET hidden)
    target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic)
    target_link_libraries(${target} PRIVATE ${name}_headers)
    target_sources(${name} INTERFACE $<TARGET_OBJECTS:${target}>)
endfunction()

# The twins `sources` and their table, for one scalar type and instruction set.
function(vks_twins_for name scalar isa)
    set(target ${name}_twins_${VKS_${scalar}_name}_${isa})
    vks_kernel_objects(${name} ${target} "${PROJECT_SOURCE_DIR}/src/host/twins.c" ${ARGN})
    target_include_directories(${target} BEFORE PRIVATE "${PROJECT_SOURCE_DIR}/shaders")
    target_compile_definitions(${target} PRIVATE ${VKS_${scalar}_macros} ISA=${isa}
        SCALAR=${VKS_${scalar}_name} ELEMENT=${VKS_${VKS_${scalar}_element}_name})
    # The fallback is small, the others are fast: at -O2 products of blocks take a fifth longer.
    set(level $<IF:$<STREQUAL:${isa},base>,-O2,-O3>)
    # No contraction: the shaders promise the same bits, and fuse only explicit calls of `fma`.
    target_compile_options(${target} PRIVATE $<$<NOT:$<CONFIG:Debug>>:${level}> -ffp-contract=off ${VKS_ISA_${isa}_FLAG})
endfunction()

# Sets `out` to the existing C files of the given kernels, in `folder` for kernels that are their own twins.
function(vks_twin_sources out folder)
    set(sources)
    foreach(kernel IN LISTS ARGN)
        set(source "${PROJECT_SOURCE_DIR}/src/host/${kernel}.c")
        if(kernel IN_LIST VKS_OWN_TWINS)
            set(source "${folder}/${kernel}.c")
            get_filename_component(name "${kernel}" NAME)
            file(CONFIGURE OUTPUT "${source}" @ONLY CONTENT
"#define KERNEL_NAME ${name}
#define KERNEL_ARGS struct ${name}_args
#define ARGUMENTS ARGUMENTS_${name}
#include \"${kernel}.comp\"
")
        endif()
        if(EXISTS "${source}")
            list(APPEND sources "${source}")
        endif()
    endforeach()
    set(${out} ${sources} PARENT_SCOPE)
endfunction()

# Uses the lists that vks_generate sets: all kernels, those that take `values`, and those that are their own twins.
function(vks_twins name folder)
    vks_host_isas(isas)
    list(TRANSFORM isas REPLACE "(.+)" "X(\\1)" OUTPUT_VARIABLE calls)
    list(JOIN calls " " calls)
    set(tables)
    foreach(scalar IN LISTS VKS_SCALARS)
        list(TRANSFORM isas REPLACE "(.+)" "X(${scalar}, ${VKS_${scalar}_name}, \\1)" OUTPUT_VARIABLE more)
        list(APPEND tables ${more})
    endforeach()
    list(JOIN tables " " tables)
    list(LENGTH VKS_SCALARS scalars)
    file(CONFIGURE OUTPUT "${folder}/include/twins_isas.h" @ONLY CONTENT
"/* Written by kernels.cmake: the instruction sets that the twins are built for, the plainest first, and X(SCALAR, scalar,
 * isa) for each table of twins. */
#ifndef VKS_TWINS_ISAS_H
#define VKS_TWINS_ISAS_H

#define VKS_ISAS(X) ${calls}
#define VKS_TWINS(X) ${tables}
#define VKS_TWINS_SCALARS ${scalars} /* those that the build has read */

#endif
")
    vks_twin_sources(sources "${folder}/twins" ${VKS_ALL_KERNELS})
    vks_twin_sources(of_values "${folder}/twins" ${VKS_TAKING_VALUES})
    foreach(isa IN LISTS isas)
        foreach(scalar IN LISTS VKS_SCALARS)
            set(those ${of_values})
            if(scalar IN_LIST VKS_ELEMENTS)
                set(those ${sources})
            endif()
            vks_twins_for(${name} ${scalar} ${isa} ${those})
        endforeach()
    endforeach()
endfunction()

function(vks_kernels name)
    set(folder "${CMAKE_CURRENT_BINARY_DIR}/${name}")
    file(MAKE_DIRECTORY "${folder}/include" "${folder}/spv")
    vks_read_scalars()
    vks_kernel_tools(${name})
    vks_generate(${name} "${folder}")

    add_library(${name}_headers INTERFACE)
    target_include_directories(${name}_headers INTERFACE "${folder}/include" "${PROJECT_SOURCE_DIR}"
        "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}/include")
    add_dependencies(${name}_headers ${name}_generated)

    add_library(${name} INTERFACE)
    target_link_libraries(${name} INTERFACE ${name}_headers)
    vks_kernel_objects(${name} ${name}_table "${folder}/include/kernels.c")
    vks_twins(${name} "${folder}")
endfunction()
