/* Reads each file named on the command line and prints the result: a line
 *
 *     name <TAB> OK rows cols entries <TAB> growth          or
 *     name <TAB> REFUSED status message <TAB> growth
 *
 * where growth is the increase of the peak resident memory in KiB. Used over collections of malformed files,
 * under the sanitizers and with a limited address space. */
#include "files/files.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

static long peak(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

int main(int count, char **path)
{
    for (int i = 1; i < count; i++) {
        struct message message = {0};
        struct market a;
        const char *slash = strrchr(path[i], '/'), *name = slash ? slash + 1 : path[i];
        long before = peak();
        vks_status status = files_read_matrix(&message, path[i], &a);
        long growth = peak() - before;
        if (status)
            printf("%s\tREFUSED %s %s\t%ld\n", name, vks_status_name(status), message.text, growth);
        else
            printf("%s\tOK %u %u %zu\t%ld\n", name, a.entries.rows, a.entries.cols, a.entries.count, growth);
        market_free(&a);
    }
    return 0;
}
