/* Operators: matrices with a product supplied by the program. */
#include "operator/operator.h"
#include "abi/abi.h"
#include "abi/environment.h"
#include "device/spirv.h"
#include "vector/vector.h"

#include <stdlib.h>
#include <string.h>

/* The arguments common to both kernels. */
#define OPERATOR_ARGS                                                                                  \
    .call = (u32s)(uintptr_t)&o->call, .x = vec_reals(x), .y = vec_reals(y), .array0 = array_of(o, 0), \
    .array1 = array_of(o, 1), .array2 = array_of(o, 2), .array3 = array_of(o, 3), .n = o->call.view.n, \
    .word0 = o->call.view.word[0], .word1 = o->call.view.word[1], .word2 = o->call.view.word[2],       \
    .word3 = o->call.view.word[3], .word4 = o->call.view.word[4], .word5 = o->call.view.word[5],       \
    .word6 = o->call.view.word[6], .word7 = o->call.view.word[7]

static u32s array_of(const struct user_operator *o, uint32_t k)
{
    return o->array[k] ? array_words(o->array[k]) : NULL;
}

void operator_product(struct rec *r, struct user_operator *o, struct vec x, struct vec y)
{
    uint32_t n = o->call.view.n;
    struct operator_product_args args = {OPERATOR_ARGS};
    rec_dispatch_program(r, &o->program[CODE_operator_product], KERNEL_operator_product, groups_each(n),
                         &args, sizeof args);
    bill(r, o->bytes + vec_bytes(x) + vec_bytes(y));
}

static void product(struct rec *r, const vks_matrix *A, struct vec x, struct vec y)
{
    operator_product(r, A->stored, x, y);
}

static bool product_and_dot(struct rec *r, const vks_matrix *A, struct vec x, struct vec own, struct vec y,
                            sums s)
{
    struct user_operator *o = A->stored;
    if (o->record || own.at != x.at)
        return false;
    uint32_t n = o->call.view.n;
    struct operator_product_dot_args args = {OPERATOR_ARGS, .s = s};
    rec_dispatch_program(r, &o->program[CODE_operator_product_dot], KERNEL_operator_product_dot,
                         groups_each(n), &args, sizeof args);
    bill(r, o->bytes + vec_bytes(x) + vec_bytes(y));
    return true;
}

static uint64_t bytes(const vks_matrix *A)
{
    (void)A;
    return 0;
}

static void release(vks_matrix *A)
{
    struct user_operator *o = A->stored;
    if (!o)
        return;
    for (int k = 0; k < OPERATOR_KERNEL_COUNT; k++)
        device_forget(A->context->device, &o->program[k]);
    free(o->code.word);
    free(o);
}

const struct format_ops operator_ops = {
    .spmv = product, .spmv_dot = product_and_dot, .bytes = bytes, .release = release};

/* Runs the program's own recording of its product. */
static int record_product(const struct program *p, struct VkCommandBuffer_T *commands,
                          enum precision precision, const void *args)
{
    const struct operator_product_args *a = args;
    const struct user_operator *o = (const void *)((const char *)p - offsetof(struct user_operator, program));
    struct visit visit = callers_enter();
    int failed = o->record(o->user, commands, public_precision(precision), (uintptr_t)a->x, (uintptr_t)a->y);
    callers_leave(visit);
    return failed;
}

static vks_status check_arrays(vks_context *c, const vks_operator *d)
{
    const uint32_t allowed = 1u << VKS_TYPE_F64 | 1u << VKS_TYPE_F32 | 1u << VKS_TYPE_U32;
    for (uint32_t k = 0; k < VKS_OPERATOR_ARRAYS; k++)
        if (d->array[k])
            TRY(array_check(d->array[k], c, allowed, "an array of the operator"));
    return VKS_OK;
}

static vks_status check_diagonal(vks_context *c, uint32_t n, const vks_operator *d)
{
    const vks_vector *v = d->diagonal;
    if (!v)
        return VKS_OK;
    if (v->context != c)
        return fail(&c->message, VKS_INVALID_ARGUMENT, "the diagonal belongs to another context");
    if (v->n != n || v->precision != d->precision)
        return fail(&c->message, VKS_INVALID_ARGUMENT,
                    "the diagonal has %u elements of %u bytes; the operator has %u rows, of %u bytes", v->n,
                    real_bytes(precision_of(v->precision)), n, real_bytes(precision_of(d->precision)));
    return VKS_OK;
}

/* Checks that there is exactly one product for the device. */
static vks_status check_product(vks_context *c, const vks_operator *d)
{
    int ways = (d->glsl != NULL) + (d->compiled != NULL) + (d->record != NULL);
    if (c->device->info.kind == DEVICE_HOST) {
        bool is = d->precision == VKS_F32 ? d->rows_f32 != NULL : d->rows_f64 != NULL;
        return is ? VKS_OK
                  : fail(&c->message, VKS_INVALID_ARGUMENT, "on the host the operator needs rows_%s",
                         scalar_types[precision_of(d->precision)].name);
    }
    if (ways != 1)
        return fail(&c->message, VKS_INVALID_ARGUMENT,
                    "the operator has %d of glsl, compiled and record; %s needs one", ways,
                    c->device->info.name);
    return VKS_OK;
}

static vks_status check(vks_context *c, uint32_t n, const vks_operator *d)
{
    TRY(context_check_arithmetic(c, d->precision));
    if (n > VKS_LARGEST_INDEX)
        return fail(&c->message, VKS_LIMIT, "%u rows; the most is %u", n, VKS_LARGEST_INDEX);
    TRY(check_product(c, d));
    TRY(check_arrays(c, d));
    return check_diagonal(c, n, d);
}

static vks_status copy_code(struct message *m, const vks_operator *d, struct operator_code *out)
{
    out->word = malloc(d->compiled_bytes ? d->compiled_bytes : 1);
    if (!out->word)
        return fail_memory(m, "compiled code", d->compiled_bytes);
    memcpy(out->word, d->compiled, d->compiled_bytes);
    out->bytes = d->compiled_bytes;
    return VKS_OK;
}

/* Rejects code that uses doubles in the f32 variants if the device lacks 64-bit floats. */
static vks_status check_floats(struct message *m, const struct device *d, const struct kernel *k)
{
    bool wide = false;
    for (int subgroups = 0; subgroups < 2; subgroups++) {
        const struct kernel_code *code = &k->code[PRECISION_F32][subgroups];
        wide = wide || spirv_has_f64(code->words, code->count);
    }
    return !wide || d->info.f64
               ? VKS_OK
               : fail(m, VKS_UNSUPPORTED, "%s has no 64-bit floats, and the operator's text has doubles",
                      d->info.name);
}

/* Makes the code that a GPU runs. */
static vks_status make_programs(struct message *m, const struct device *device, const vks_operator *d,
                                struct user_operator *o)
{
    struct kernel found[OPERATOR_KERNEL_COUNT];
    if (d->record) {
        o->record = d->record;
        o->user = d->user;
        o->program[CODE_operator_product].record = record_product;
        return VKS_OK;
    }
    TRY(d->glsl ? operator_code_compile(m, d, &o->code) : copy_code(m, d, &o->code));
    TRY(operator_code_kernels(m, &o->code, d, found));
    for (int k = 0; k < OPERATOR_KERNEL_COUNT; k++) {
        o->program[k].kernel = found[k];
        TRY(check_floats(m, device, &found[k]));
    }
    return VKS_OK;
}

static vks_status make(vks_matrix *A, const vks_operator *d)
{
    struct user_operator *o = A->stored = calloc(1, sizeof *o);
    if (!o)
        return fail_memory(&A->context->message, "an operator", sizeof *o);
    o->call = (struct operator_call){.view.n = A->csr.n, .f64 = d->rows_f64, .f32 = d->rows_f32};
    memcpy(o->call.view.word, d->word, sizeof d->word);
    for (uint32_t k = 0; k < VKS_OPERATOR_ARRAYS; k++) {
        o->array[k] = d->array[k];
        if (d->array[k] && A->context->device->info.kind == DEVICE_HOST)
            o->call.view.array[k] = d->array[k]->memory.mapped;
    }
    o->diagonal = d->diagonal;
    o->bytes = d->bytes;
    const struct device *device = A->context->device;
    return device->info.kind == DEVICE_HOST ? VKS_OK : make_programs(&A->context->message, device, d, o);
}

vks_status vks_operator_create_as(uint32_t header, vks_context *context, uint32_t n,
                                  const vks_operator *description, vks_matrix **A)
{
    const vks_operator described = vks_operator_in(header, description);
    *A = NULL;
    TRY(context_begin_as(context, header));
    TRY(check(context, n, &described));
    vks_matrix *made = calloc(1, sizeof *made);
    if (!made)
        return fail_memory(&context->message, "an operator", sizeof *made);
    context_retain(context);
    *made = (vks_matrix){.context = context,
                         .precision = described.precision,
                         .ops = &operator_ops,
                         .csr = {.n = n, .cols = n, .lanes = 1}};
    format_because(made, "an operator, without entries");
    vks_status s = make(made, &described);
    if (s)
        vks_matrix_destroy(made);
    else
        *A = made;
    return s;
}

vks_status vks_operator_changed(vks_matrix *A)
{
    struct message *m = context_begin(A->context);
    if (!operator_of(A))
        return fail(m, VKS_INVALID_ARGUMENT, "the matrix is not an operator");
    A->values_taken++;
    return VKS_OK;
}

vks_status vks_operator_compile_as(uint32_t header, vks_context *context, const vks_operator *description,
                                   void **compiled, size_t *bytes)
{
    const vks_operator described = vks_operator_in(header, description);
    struct message *m = &context->message;
    struct operator_code code = {0};
    *compiled = NULL;
    *bytes = 0;
    vks_status s = context_begin_as(context, header);
    IF_OK(s, check_arrays(context, &described));
    if (!s && !described.glsl)
        s = fail(m, VKS_INVALID_ARGUMENT, "there is no glsl to compile");
    IF_OK(s, operator_code_compile(m, &described, &code));
    *compiled = code.word;
    *bytes = code.bytes;
    return s;
}
