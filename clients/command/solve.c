/* vksolve solve: reads systems, solves them, and reports. */
#include "command/command.h"
#include "command/shared/exit_code.h"
#include "command/solve/explain.h"
#include "command/solve/one.h"
#include "command/solve/several.h"

int solve_command(int argc, char **argv)
{
    struct solve_job job = {0};
    int first;
    enum parsed parsed = solve_parse(argc, argv, &job.set, &first);
    if (parsed != PARSED)
        return parsed == PARSED_HELP ? EXIT_DONE : EXIT_USAGE;
    job.path = argv[first];
    if (argc - first > 1)
        return solve_several(&job.set, argv + first, argc - first);
    return job.set.explain ? solve_explain(&job) : solve_one(&job);
}
