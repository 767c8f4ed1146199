#include "command/solve/several.h"
#include "command/shared/exit_code.h"
#include "command/solve/one.h"
#include "command/solve/report.h"

#include <stdio.h>

/* A matrix that cannot be read or solved is reported on standard error; the others still run. */
int solve_several(const struct solve_settings *set, char **paths, int count)
{
    bool cancelled = false;
    int worst = EXIT_DONE, converged = 0;
    if (!set->quiet)
        solve_print_head();
    for (int i = 0; i < count && !cancelled; i++) {
        struct solve_job job = {.set = *set, .path = paths[i], .is_of_several = true};
        int code = solve_one(&job);
        cancelled = job.report.reason == VKS_REASON_CANCELLED;
        converged += code == EXIT_DONE;
        worst = code > worst ? code : worst;
    }
    if (!set->quiet)
        printf("%d of %d converged%s\n", converged, count, cancelled ? "; ended by a signal" : "");
    return worst;
}
