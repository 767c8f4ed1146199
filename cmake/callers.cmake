# C++ with Eigen, and Fortran: for the tests and examples in these languages, if compilers are found. With sanitizers they are
# left out: other compilers do not support them.

if(CMAKE_C_FLAGS MATCHES "-fsanitize")
    return()
endif()
include(CheckLanguage)
check_language(CXX)
if(CMAKE_CXX_COMPILER)
    enable_language(CXX)
    find_package(Eigen3 3.3 QUIET NO_MODULE)
endif()
check_language(Fortran)
if(CMAKE_Fortran_COMPILER)
    enable_language(Fortran)
    # Built as a user builds it from the installed source.
    add_library(vksolve_fortran STATIC EXCLUDE_FROM_ALL "${vksolve_FORTRAN_MODULE}")
    set_target_properties(vksolve_fortran PROPERTIES Fortran_MODULE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/fortran")
    target_include_directories(vksolve_fortran PUBLIC "${CMAKE_CURRENT_BINARY_DIR}/fortran")
    target_compile_options(vksolve_fortran PRIVATE $<$<Fortran_COMPILER_ID:GNU>:-std=f2018>)
    target_link_libraries(vksolve_fortran PUBLIC vksolve::vksolve)
endif()
