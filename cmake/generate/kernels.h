/* All kernels with all their variants, checked. */
#ifndef GENERATE_KERNELS_H
#define GENERATE_KERNELS_H

#include "manifest.h"
#include "reflect.h"

struct variant {
    const char *scalar;
    int subgroup;
    struct spirv code; /* ready for embedding; NULL words if the shader has problems */
    struct interface interface;
};

struct kernel {
    const char *path; /* "sparse/spmv_csr" */
    const char *name;
    struct variant *variant; /* scalars x subgroups; the first one's interface is the kernel's */
    bool takes_values;       /* else there are no variants of scalars that are not their own elements */
};

struct kernels {
    struct kernel *at; /* sorted by name */
    size_t count;
    const struct manifest *manifest;
    size_t variants;      /* of each */
    spvc_context context; /* owns the interfaces' texts */
};

/* Whether the kernel is compiled for variant i. */
static inline bool is_own(const struct kernels *k, const struct kernel *kernel, size_t i)
{
    size_t scalar = i / (size_t)k->manifest->subgroups.count;
    return kernel->takes_values || k->manifest->scalars.element[scalar] == (int)scalar;
}

/* Variant i, or the variant of its elements. */
static inline const struct variant *variant_at(const struct kernels *k, const struct kernel *kernel, size_t i)
{
    size_t subgroups = (size_t)k->manifest->subgroups.count;
    size_t element = (size_t)k->manifest->scalars.element[i / subgroups];
    return kernel->variant + (is_own(k, kernel, i) ? i : element * subgroups + i % subgroups);
}

/* "F64.s0": the folder of the kernels compiled for the variant. */
struct text variant_name(const struct variant *v);

/* Reads <folder>/<scalar>.s<subgroup>/<name>.comp.spv for every shader of the manifest, and checks them. The
 * manifest must outlive *k. */
void kernels_read(struct kernels *k, const struct manifest *m, const char *folder, struct problems *p);
void kernels_free(struct kernels *k);

#endif
