/* Whether a condition holds in this invocation and, with subgroups, in those of its squad, which take a branch together. */
bool in_all(bool so)
{
#if SUBGROUP
    return squad_ballot(!so) == 0u;
#else
    return so;
#endif
}
