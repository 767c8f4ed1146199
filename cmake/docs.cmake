# The manual as HTML, from the public headers: docs/Doxyfile.

find_program(VKS_DOXYGEN doxygen)
if(NOT VKS_DOXYGEN)
    return()
endif()
file(MAKE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/docs")
set(make_docs ${CMAKE_COMMAND} -E env VKS_VERSION=${PROJECT_VERSION} "VKS_DOCS=${CMAKE_CURRENT_BINARY_DIR}/docs"
    ${VKS_DOXYGEN} docs/Doxyfile)
add_custom_target(vksolve_docs COMMAND ${make_docs} WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}" VERBATIM)
if(VKS_TESTS)
    add_test(NAME docs COMMAND ${make_docs} WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
    set_tests_properties(docs PROPERTIES TIMEOUT 120)
endif()
