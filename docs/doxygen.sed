# Plain comments as Doxygen reads them. The one at the top is of the file; one behind a declaration is of that, any other of
# what follows. Minus signs begin no lists, and pointers no emphasis. Calls with structs are functions like others.
1s|^/\* vksolve -- |/** @mainpage The manual\n *\n * |
1s|^/\* vksolve/\([a-z_]*\.h\) -- |/** @file vksolve/\1\n *\n * |
s|^ \* - | * \\- |
/^\/\* \| \* /s|\([ (]\)\*\([A-Za-z]\)|\1\\*\2|g
s|^static inline \(vks_status vks_\)|\1|
s|^\( *\)/\* |\1/** |
s|\([;,{] *\)/\* |\1/**< |
