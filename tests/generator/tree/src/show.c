/* Prints what the library holds, and writes each kernel's code into the folder given. */
#include "device/kernel.h"
#include "kernels.h"
#include "launch.h"

#include <stdio.h>
#include <stdlib.h>

static int write_code(const char *folder, const struct kernel *k, int real, int subgroup)
{
    char path[4096];
    struct spirv code;
    if (!spirv_unpack(&k->pack, k->code[real][subgroup].module, &code))
        return 0;
    snprintf(path, sizeof path, "%s/%s.%d.%d.spv", folder, k->name, real, subgroup);
    FILE *f = fopen(path, "wb");
    int good =
        f && fwrite(code.word, 4, code.count, f) == code.count && code.count == k->code[real][subgroup].count;
    free(code.word);
    return f && fclose(f) == 0 && good;
}

static void show_modules(const struct kernel *k)
{
    uint32_t most = 0;
    for (int i = 0; i < 6; i++)
        most = k->code[i / 2][i % 2].module > most ? k->code[i / 2][i % 2].module : most;
    printf("modules %s %u\n", k->name, most + 1);
}

int main(int argc, char **argv)
{
    launch_show();
    for (int i = 0; i < KERNEL_COUNT; i++)
        show_modules(&kernels[i]);
    for (int i = 0; argc == 2 && i < KERNEL_COUNT; i++)
        for (int j = 0; j < 6; j++)
            if (!write_code(argv[1], &kernels[i], j / 2, j % 2))
                return 1;
    return 0;
}
