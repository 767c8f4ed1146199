# cmake --install, the files that find_package() and pkg-config read, and the Debian packages of cpack -G DEB.

include(CMakePackageConfigHelpers)

find_program(VKS_GZIP gzip REQUIRED) # documents are installed in compressed form, as in Debian
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/vksolve)

install(TARGETS vksolve EXPORT vksolve LIBRARY COMPONENT runtime NAMELINK_COMPONENT dev)
install(TARGETS vksolve_static EXPORT vksolve ARCHIVE COMPONENT dev)
install(DIRECTORY include/vksolve DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT dev)
install(FILES "${vksolve_FORTRAN_MODULE}" DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/vksolve/fortran COMPONENT dev)

set(CPACK_COMPONENTS_ALL runtime dev)
set(packages libvksolve0 libvksolve-dev)
if(TARGET vksolve_command)
    include(cmake/install_command.cmake)
    list(APPEND CPACK_COMPONENTS_ALL tool)
    list(APPEND packages vksolve)
endif()
if(TARGET vksolve_petsc)
    string(REGEX MATCH "^[0-9]+\\.[0-9]+" petsc_version "${PETSC_VERSION}")
    list(APPEND CPACK_COMPONENTS_ALL petsc)
    list(APPEND packages libpetsc-real${petsc_version}-vksolve)
endif()
if(TARGET vksolve_python)
    list(APPEND CPACK_COMPONENTS_ALL python)
    list(APPEND packages python3-vksolve)
endif()
foreach(component package IN ZIP_LISTS CPACK_COMPONENTS_ALL packages)
    install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/${package} RENAME copyright COMPONENT ${component})
    string(TOUPPER ${component} component)
    set(CPACK_DEBIAN_${component}_PACKAGE_NAME ${package})
endforeach()

# The exported targets and the path of the Fortran module's source. The libraries have no dependencies that a user must find.
install(EXPORT vksolve NAMESPACE vksolve:: FILE vksolve-targets.cmake DESTINATION ${package_dir} COMPONENT dev)
set(fortran_module ${CMAKE_INSTALL_INCLUDEDIR}/vksolve/fortran/vksolve.f90)
configure_package_config_file(cmake/vksolve-config.cmake.in vksolve-config.cmake
    INSTALL_DESTINATION ${package_dir} PATH_VARS fortran_module NO_SET_AND_CHECK_MACRO NO_CHECK_REQUIRED_COMPONENTS_MACRO)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/vksolve-config.cmake" DESTINATION ${package_dir} COMPONENT dev)
write_basic_package_version_file(vksolve-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/vksolve-config-version.cmake" DESTINATION ${package_dir} COMPONENT dev)

# Paths in vksolve.pc are relative to the file itself, so that an installed tree may be moved, or get another --prefix.
file(RELATIVE_PATH pc_prefix "/prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/prefix")
list(JOIN VKS_LIBRARIES " " pc_libraries)
configure_file(cmake/vksolve.pc.in vksolve.pc @ONLY)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/vksolve.pc" DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT dev)

if(PROJECT_IS_TOP_LEVEL)
    include(cmake/packages.cmake)
endif()
