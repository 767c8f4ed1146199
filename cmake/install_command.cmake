# The command, its manual and its completion.

install(TARGETS vksolve_command RUNTIME COMPONENT tool)

# The manual is made from the command's own help.
set(manual "${CMAKE_CURRENT_BINARY_DIR}/man1")
file(GLOB manual_scripts CONFIGURE_DEPENDS cmake/manual/*)
add_custom_command(
    OUTPUT "${manual}/vksolve.1"
    COMMAND "${PROJECT_SOURCE_DIR}/cmake/manual/pages.sh" $<TARGET_FILE:vksolve_command> "${manual}"
    COMMAND sh -c "mkdir -p '${manual}.gz' && cd '${manual}' && for page in *.1; do '${VKS_GZIP}' -9nc $page >'${manual}.gz'/$page.gz; done"
    DEPENDS vksolve_command ${manual_scripts}
    COMMENT "Writing the manual pages"
    VERBATIM)
add_custom_target(vksolve_manual ALL DEPENDS "${manual}/vksolve.1")
install(DIRECTORY "${manual}.gz/" DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT tool)

install(FILES cmake/completion/vksolve.bash
    DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/bash-completion/completions RENAME vksolve COMPONENT tool)
install(FILES cmake/completion/vksolve.fish
    DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/fish/vendor_completions.d COMPONENT tool)
foreach(folder site-functions vendor-completions) # zsh's own, and Debian's for packages
    install(FILES cmake/completion/_vksolve DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/zsh/${folder} COMPONENT tool)
endforeach()
