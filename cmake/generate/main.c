/* Reflects, checks and embeds the compiled kernels: writes kernels.h, arguments.h and kernels.c, or prints
 * all problems. */
#include "emit.h"
#include "output.h"

#include <stdio.h>
#include <stdlib.h>

static void generate(const char *manifest_path, const char *spv_folder, const char *out_folder,
                     struct problems *p)
{
    struct manifest manifest;
    manifest_read(&manifest, manifest_path, p);
    if (!p->count) {
        struct kernels kernels;
        kernels_read(&kernels, &manifest, spv_folder, p);
        if (!p->count) {
            struct output out[] = {{.name = "kernels.h"}, {.name = "arguments.h"}, {.name = "kernels.c"}};
            emit_header(&out[0].text, &kernels);
            emit_arguments(&out[1].text, &kernels);
            emit_table(&out[2].text, &kernels);
            outputs_write(out, 3, out_folder, p);
            for (int i = 0; i < 3; i++)
                text_free(&out[i].text);
        }
        kernels_free(&kernels);
    }
    manifest_free(&manifest);
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fprintf(stderr, "usage: kernels_generator MANIFEST SPV_FOLDER OUTPUT_FOLDER\n");
        return EXIT_FAILURE;
    }
    struct problems problems = {0};
    generate(argv[1], argv[2], argv[3], &problems);
    problems_print(&problems);
    int status = problems.count ? EXIT_FAILURE : EXIT_SUCCESS;
    problems_free(&problems);
    return status;
}
