/* Whether a condition holds here; with subgroups, in all invocations of the lane group, which then branch together. */
bool in_all(bool so)
{
#if SUBGROUP
    return squad_ballot(!so) == 0u;
#else
    return so;
#endif
}
