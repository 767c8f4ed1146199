# The package vksolve for Python: a module of CFFI over the installed headers, and the files beside it. With AUTO it is built if
# Python 3.8 with its headers, CFFI and NumPy are found.

vks_option_auto(VKS_PYTHON "Build the package for Python: AUTO (if its dependencies are found), ON or OFF")
if(NOT VKS_PYTHON OR CMAKE_C_FLAGS MATCHES "-fsanitize") # the interpreter is not built with the sanitizers
    return()
endif()

if(NOT Python3_EXECUTABLE AND EXISTS /usr/bin/python3) # the system's packages are for this one
    set(Python3_EXECUTABLE /usr/bin/python3)
endif()
find_package(Python3 3.8 COMPONENTS Interpreter Development.Module QUIET)
if(Python3_FOUND)
    execute_process(COMMAND "${Python3_EXECUTABLE}" -c "import cffi, numpy" RESULT_VARIABLE lacks ERROR_QUIET)
endif()
if(NOT Python3_FOUND OR lacks)
    if(VKS_PYTHON STREQUAL "AUTO")
        return()
    endif()
    message(FATAL_ERROR "VKS_PYTHON is ON, but there is no Python 3.8 with headers, CFFI and NumPy "
        "(Debian: python3-dev python3-cffi python3-numpy)")
endif()

set(python_package "${CMAKE_CURRENT_BINARY_DIR}/python/vksolve")
set(python_source "${CMAKE_CURRENT_BINARY_DIR}/python/_vksolve.c")
# A call with structs that may grow is an inline function; CFFI needs its prototype.
vks_preprocess(vksolve_python_headers "#define VKS_CALL(...)\n#define VKS_NO_SHORT_NAMES\n#include <vksolve/vksolve.h>\n")
add_custom_command(
    OUTPUT "${python_source}"
    COMMAND "${Python3_EXECUTABLE}" "${PROJECT_SOURCE_DIR}/clients/python/build.py" $<TARGET_OBJECTS:vksolve_python_headers>
        "${python_source}"
    DEPENDS clients/python/build.py vksolve_python_headers $<TARGET_OBJECTS:vksolve_python_headers>
    COMMENT "Writing the module for Python"
    VERBATIM)
python3_add_library(vksolve_python MODULE WITH_SOABI "${python_source}")
target_compile_options(vksolve_python PRIVATE -w) # CFFI has written the source
target_link_libraries(vksolve_python PRIVATE vksolve)
set_target_properties(vksolve_python PROPERTIES
    OUTPUT_NAME _vksolve LIBRARY_OUTPUT_DIRECTORY "${python_package}" C_STANDARD_REQUIRED OFF)

# The files lie beside the module, so that PYTHONPATH=build/release/python is enough.
file(GLOB python_files CONFIGURE_DEPENDS clients/python/vksolve/*.py)
foreach(file ${python_files})
    get_filename_component(name "${file}" NAME)
    configure_file("${file}" "${python_package}/${name}" COPYONLY)
endforeach()

if(NOT VKS_INSTALL)
    return()
endif()
execute_process( # dist-packages or site-packages
    COMMAND "${Python3_EXECUTABLE}" -c "import os, sysconfig; print(os.path.basename(sysconfig.get_path('platlib')), end='')"
    OUTPUT_VARIABLE python_packages)
set(VKS_PYTHON_DIR "lib/python${Python3_VERSION_MAJOR}.${Python3_VERSION_MINOR}/${python_packages}" CACHE STRING
    "Where the package for Python is installed, below the prefix")
file(RELATIVE_PATH to_library "/${VKS_PYTHON_DIR}/vksolve" "/${CMAKE_INSTALL_LIBDIR}")
set_target_properties(vksolve_python PROPERTIES INSTALL_RPATH "$ORIGIN/${to_library}")
install(TARGETS vksolve_python LIBRARY DESTINATION "${VKS_PYTHON_DIR}/vksolve" COMPONENT python)
install(FILES ${python_files} DESTINATION "${VKS_PYTHON_DIR}/vksolve" COMPONENT python)
