# The Debian packages of cpack -G DEB. `./run package` makes them for Debian's own folders, with debug symbols.

set(CPACK_PACKAGE_CONTACT "The vksolve authors <vksolve@vksolve.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION math)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "${CMAKE_CURRENT_BINARY_DIR}")
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=") # programs run with later libraries: docs/abi.md
set(CPACK_PRE_BUILD_SCRIPTS "${PROJECT_SOURCE_DIR}/cmake/check_packaging.cmake")
if(NOT CPACK_DEBIAN_DEBUGINFO_PACKAGE) # which strips the symbols itself
    set(CPACK_STRIP_FILES ON)
endif()

# The descriptions of the packages, below their summaries.
set(CPACK_COMPONENT_RUNTIME_DESCRIPTION "The shared library: methods, preconditioners and kernels.
It runs on the CPU if there is no GPU.")
set(CPACK_COMPONENT_DEV_DESCRIPTION "Headers, the static library, and sources of the Fortran module,
for programs in C, C++ and Fortran.")
set(CPACK_COMPONENT_TOOL_DESCRIPTION "The command vksolve: it solves, inspects and draws systems
from Matrix Market files.")
set(CPACK_COMPONENT_PETSC_DESCRIPTION "A plug-in that PETSc programs load at run time: vectors,
matrices and solvers on the devices of vksolve, on one process or many.")
set(CPACK_COMPONENT_PYTHON_DESCRIPTION "The package vksolve for Python: solvers in the shape of
scipy.sparse.linalg, and Matrix Market files.")

set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_RECOMMENDS libvulkan1)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SUGGESTS "libumfpack6 | libumfpack5") # opened at run time
file(WRITE "${CMAKE_CURRENT_BINARY_DIR}/debian/triggers" "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_CONTROL_EXTRA "${CMAKE_CURRENT_BINARY_DIR}/debian/triggers")
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "libvksolve0 (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_DEV_PACKAGE_SUGGESTS "zlib1g-dev, libeigen3-dev, gfortran") # for the static library; for callers
set(CPACK_DEBIAN_TOOL_PACKAGE_RECOMMENDS "libvulkan1, liblapacke, libopenblas0")
set(CPACK_DEBIAN_TOOL_PACKAGE_SUGGESTS "gnuplot-nox, libumfpack6 | libumfpack5") # for pictures; for direct solutions
set(CPACK_DEBIAN_PETSC_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_PETSC_PACKAGE_DEPENDS "libvksolve0 (>= ${PROJECT_VERSION})") # dpkg-shlibdeps finds no package for it yet
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS
    "libvksolve0 (>= ${PROJECT_VERSION}), python3, python3-cffi-backend, python3-numpy")
set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS python3-scipy)

# The changes, in each package: for people, and in Debian's own form.
set(debian "${CMAKE_CURRENT_BINARY_DIR}/debian")
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(WRITE "${debian}/changelog" "vksolve (${PROJECT_VERSION}) unstable; urgency=medium\n\n"
    "  * See NEWS.gz in this directory for the changes.\n\n -- ${CPACK_PACKAGE_CONTACT}  ${date}\n")
configure_file(CHANGELOG.md "${debian}/NEWS" COPYONLY)
foreach(file changelog NEWS)
    execute_process(COMMAND "${VKS_GZIP}" -9nc "${debian}/${file}" OUTPUT_FILE "${debian}/${file}.gz" COMMAND_ERROR_IS_FATAL ANY)
endforeach()
foreach(component package IN ZIP_LISTS CPACK_COMPONENTS_ALL packages)
    install(FILES "${debian}/changelog.gz" "${debian}/NEWS.gz"
        DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/${package} COMPONENT ${component})
endforeach()
include(CPack)
