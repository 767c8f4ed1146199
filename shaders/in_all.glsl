/* Whether a condition holds in this invocation; with subgroups, in all invocations of its squad, which then branch
 * together. */
bool in_all(bool so)
{
#if SUBGROUP
    return squad_ballot(!so) == 0u;
#else
    return so;
#endif
}
