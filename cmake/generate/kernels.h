/* All kernels with all their variants, judged. */
#ifndef GENERATE_KERNELS_H
#define GENERATE_KERNELS_H

#include "manifest.h"
#include "reflect.h"

struct variant {
    int real;
    int subgroup;
    struct spirv code; /* finished for embedding; NULL words where the shader has problems */
    struct interface interface;
};

struct kernel {
    const char *path; /* "sparse/spmv_csr" */
    const char *name;
    struct variant
        *variant; /* reals x subgroups, reals outermost; the first one's interface is the kernel's */
};

struct kernels {
    struct kernel *at; /* sorted by name */
    size_t count;
    size_t variants; /* of each */
    size_t subgroups;
    spvc_context context; /* owns the interfaces' texts */
};

/* Reads <folder>/<path>.r<real>.s<subgroup>.spv for every shader of the manifest, and judges. */
void kernels_read(struct kernels *k, const struct manifest *m, const char *folder, struct problems *p);
void kernels_free(struct kernels *k);

#endif
