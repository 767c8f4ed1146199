# libpetscvksolve.so, the plug-in that PETSc programs load (docs/petsc.md). It is a client of the library like any other. With
# AUTO it is built if pkg-config finds a PETSc from 3.18 to 3.22, the two tested versions, with real scalars.

vks_option_auto(VKS_PETSC "Build the plug-in for PETSc: AUTO (if PETSc is found), ON or OFF")
if(NOT VKS_PETSC)
    return()
endif()

find_package(PkgConfig)
if(PkgConfig_FOUND)
    pkg_check_modules(PETSC PETSc>=3.18)
endif()
if(PETSC_FOUND)
    find_file(VKS_PETSC_CONF petscconf.h PATHS ${PETSC_INCLUDE_DIRS} NO_DEFAULT_PATH)
    file(STRINGS "${VKS_PETSC_CONF}" complex REGEX "^#define PETSC_USE_COMPLEX")
    find_package(MPI COMPONENTS C)
endif()
if(VKS_PETSC STREQUAL "AUTO")
    if(NOT PETSC_FOUND OR NOT MPI_C_FOUND OR complex OR NOT PETSC_VERSION VERSION_LESS 3.23)
        if(PETSC_FOUND)
            message(STATUS "No plug-in for PETSc ${PETSC_VERSION}: it takes 3.18 to 3.22 with real scalars, and MPI")
        else()
            message(STATUS "No plug-in for PETSc: pkg-config finds no PETSc of version 3.18 or later")
        endif()
        return()
    endif()
elseif(NOT PETSC_FOUND OR NOT MPI_C_FOUND)
    message(FATAL_ERROR "VKS_PETSC is ON, but there is no PETSc of version 3.18 or later with MPI (Debian: petsc-dev)")
endif()

# Uses folders and libraries only: PETSc's own flags define _FORTIFY_SOURCE, which a build without optimisation rejects.
add_library(vksolve_with_petsc INTERFACE)
target_include_directories(vksolve_with_petsc SYSTEM INTERFACE ${PETSC_INCLUDE_DIRS})
target_link_libraries(vksolve_with_petsc INTERFACE ${PETSC_LINK_LIBRARIES} MPI::MPI_C)

file(GLOB petsc_sources CONFIGURE_DEPENDS clients/petsc/*.c)
add_library(vksolve_petsc MODULE ${petsc_sources})
target_include_directories(vksolve_petsc PRIVATE clients)
target_link_libraries(vksolve_petsc PRIVATE vksolve vksolve_with_petsc)
set_target_properties(vksolve_petsc PROPERTIES OUTPUT_NAME petscvksolve INSTALL_RPATH "$ORIGIN/..") # lib/vksolve beside lib

if(VKS_INSTALL)
    install(TARGETS vksolve_petsc LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/vksolve COMPONENT petsc)
endif()
