/* All kernels with all their variants, judged. */
#ifndef GENERATE_KERNELS_H
#define GENERATE_KERNELS_H

#include "manifest.h"
#include "reflect.h"

struct variant {
    int real;
    int stored; /* of values: other than real where they are narrower */
    int subgroup;
    struct spirv code; /* finished for embedding; NULL words where the shader has problems */
    struct interface interface;
};

struct kernel {
    const char *path; /* "sparse/spmv_csr" */
    const char *name;
    struct variant *variant; /* (reals and mixed) x subgroups; the first one's interface is the kernel's */
    size_t own;              /* how many of these there are: without `values` none is mixed */
};

struct kernels {
    struct kernel *at; /* sorted by name */
    size_t count;
    size_t variants; /* of each, the mixed ones included */
    size_t subgroups;
    spvc_context context; /* owns the interfaces' texts */
};

/* Place i of a kernel's variants: where mixed ones are not its own they are those of the widest reals. */
static inline const struct variant *variant_at(const struct kernels *k, const struct kernel *kernel, size_t i)
{
    return kernel->variant + (i < kernel->own ? i : i - k->subgroups);
}

/* "r64", or "r64v32" where values are narrower, and ".s0": the folder of what is compiled so. */
struct text variant_name(const struct variant *v, const char *separator);

/* Reads <folder>/r<real>[v<stored>].s<subgroup>/<name>.comp.spv for every shader of the manifest, and judges.
 */
void kernels_read(struct kernels *k, const struct manifest *m, const char *folder, struct problems *p);
void kernels_free(struct kernels *k);

#endif
