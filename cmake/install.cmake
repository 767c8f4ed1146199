# cmake --install, the files that find_package() and pkg-config read, and the Debian packages of cpack -G DEB.

include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/vksolve)

install(TARGETS vksolve EXPORT vksolve LIBRARY COMPONENT runtime NAMELINK_COMPONENT dev)
install(TARGETS vksolve_static EXPORT vksolve ARCHIVE COMPONENT dev)
install(TARGETS vksolve_command RUNTIME COMPONENT tool)
install(DIRECTORY include/vksolve DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT dev)

# The manual is what the command says of itself.
set(manual "${CMAKE_CURRENT_BINARY_DIR}/man1")
find_program(VKS_GZIP gzip REQUIRED) # pages are installed as Debian has them
file(GLOB manual_scripts CONFIGURE_DEPENDS cmake/manual/*)
add_custom_command(
    OUTPUT "${manual}/vksolve.1"
    COMMAND "${PROJECT_SOURCE_DIR}/cmake/manual/pages.sh" $<TARGET_FILE:vksolve_command> "${manual}"
    COMMAND sh -c "mkdir -p '${manual}.gz' && cd '${manual}' && for page in *.1; do '${VKS_GZIP}' -9nc $page >'${manual}.gz'/$page.gz; done"
    DEPENDS vksolve_command ${manual_scripts}
    COMMENT "Writing the manual pages"
    VERBATIM)
add_custom_target(manual ALL DEPENDS "${manual}/vksolve.1")
install(DIRECTORY "${manual}.gz/" DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT tool)

install(FILES cmake/completion/vksolve.bash
    DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/bash-completion/completions RENAME vksolve COMPONENT tool)
install(FILES cmake/completion/vksolve.fish
    DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/fish/vendor_completions.d COMPONENT tool)
foreach(folder site-functions vendor-completions) # zsh's own, and Debian's for packages
    install(FILES cmake/completion/_vksolve DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/zsh/${folder} COMPONENT tool)
endforeach()

set(CPACK_COMPONENTS_ALL runtime dev tool)
set(packages libvksolve0 libvksolve-dev vksolve)
if(TARGET petscvksolve)
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

# The libraries need nothing that a user must find first: the exported targets, and where the source of the Fortran module is.
install(EXPORT vksolve NAMESPACE vksolve:: FILE vksolve-targets.cmake DESTINATION ${package_dir} COMPONENT dev)
set(fortran_module ${CMAKE_INSTALL_INCLUDEDIR}/vksolve/fortran/vksolve.f90)
configure_package_config_file(cmake/vksolve-config.cmake.in vksolve-config.cmake
    INSTALL_DESTINATION ${package_dir} PATH_VARS fortran_module NO_SET_AND_CHECK_MACRO NO_CHECK_REQUIRED_COMPONENTS_MACRO)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/vksolve-config.cmake" DESTINATION ${package_dir} COMPONENT dev)
write_basic_package_version_file(vksolve-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/vksolve-config-version.cmake" DESTINATION ${package_dir} COMPONENT dev)

# Paths in vksolve.pc start at the file itself: an installed tree may be moved, and cmake --install --prefix is true.
file(RELATIVE_PATH pc_prefix "/prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/prefix")
list(JOIN VKS_LIBRARIES " " pc_libraries)
configure_file(cmake/vksolve.pc.in vksolve.pc @ONLY)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/vksolve.pc" DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT dev)

if(PROJECT_IS_TOP_LEVEL)
    include(cmake/packages.cmake)
endif()
