# Before cpack -G DEB makes anything: the programs by which a package learns what it depends on. Where they are missing, CPack
# makes packages that depend on nothing.

if(CPACK_GENERATOR STREQUAL "DEB")
    foreach(program dpkg-shlibdeps file)
        find_program(found_${program} ${program})
        if(NOT found_${program})
            message(FATAL_ERROR "Debian packages need ${program}: apt install dpkg-dev file")
        endif()
    endforeach()
endif()
