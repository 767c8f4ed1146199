# A wheel, which pip makes by scikit-build-core (pyproject.toml): the package for Python, with the library beside its module.

if(NOT SKBUILD_PROJECT_VERSION VERSION_EQUAL PROJECT_VERSION)
    message(FATAL_ERROR "pyproject.toml is of version ${SKBUILD_PROJECT_VERSION}, and include/vksolve/version.h of ${PROJECT_VERSION}")
endif()
set_target_properties(vksolve PROPERTIES VERSION ${PROJECT_VERSION_MAJOR}) # wheels have no links, so the library has one name
install(TARGETS vksolve LIBRARY DESTINATION vksolve COMPONENT python NAMELINK_SKIP)
