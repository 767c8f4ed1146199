#include "abi/environment.h"
#include "abi/processor.h"

#include <stddef.h>

_Thread_local const struct environment *environment_callers;

struct visit callers_enter(void)
{
    struct visit v = {.callers = environment_callers};
    if (v.callers)
        v.own = environment_visit(v.callers);
    return v;
}

void callers_leave(struct visit v)
{
    if (v.callers)
        environment_return(v.own);
}
