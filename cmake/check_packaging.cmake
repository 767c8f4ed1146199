# Run before cpack -G DEB: checks for the programs that find the dependencies of a package. Without them, CPack makes packages
# without dependencies.

if(CPACK_GENERATOR STREQUAL "DEB")
    foreach(program dpkg-shlibdeps file)
        find_program(found_${program} ${program})
        if(NOT found_${program})
            message(FATAL_ERROR "Debian packages need ${program}: apt install dpkg-dev file")
        endif()
    endforeach()
endif()
