/* Prints what the library holds, and writes each kernel's code into the folder given. */
#include "device/kernel.h"
#include "kernels.h"
#include "launch.h"

#include <stdio.h>

static int write_code(const char *folder, const struct kernel *k, int real, int subgroup)
{
    char path[4096];
    const struct kernel_code *code = &k->code[real][subgroup];
    snprintf(path, sizeof path, "%s/%s.%d.%d.spv", folder, k->name, real, subgroup);
    FILE *f = fopen(path, "wb");
    if (!f)
        return 0;
    int good = fwrite(code->words, 4, code->count, f) == code->count;
    return fclose(f) == 0 && good;
}

int main(int argc, char **argv)
{
    launch_show();
    for (int i = 0; argc == 2 && i < KERNEL_COUNT; i++)
        for (int j = 0; j < 6; j++)
            if (!write_code(argv[1], &kernels[i], j / 2, j % 2))
                return 1;
    return 0;
}
