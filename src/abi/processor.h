/* The floating-point environment of the processor, for environment.h. */
#ifndef VKS_ABI_PROCESSOR_H
#define VKS_ABI_PROCESSOR_H

#include <stdint.h>

#if defined(__x86_64__)

/* Nothing is computed in x87, but printf and strtod use its rounding mode, and C also has its flags there. */
struct environment {
    uint32_t sse;
    uint16_t x87, x87_flags; /* flags are saved only if the control word is not the default one */
};

#define SSE_DEFAULT 0x1F80u
#define SSE_FLAGS 0x3Fu
#define X87_DEFAULT 0x37Fu
#define X87_FLAGS 0x3Fu

static inline uint16_t x87_control(void)
{
    uint16_t control;
    __asm__ volatile("fnstcw %0" : "=m"(control));
    return control;
}

static inline uint16_t x87_flags(void)
{
    uint16_t status;
    __asm__ volatile("fnstsw %0" : "=a"(status));
    return status & X87_FLAGS;
}

/* Sets both at once: otherwise a flag of one could trap under the control word of the other. */
static inline void x87_set(uint16_t control, uint16_t flags)
{
    struct {
        uint16_t control, unused, status, others[11];
    } all;
    __asm__ volatile("fnstenv %0" : "=m"(all));
    all.control = control;
    all.status = (uint16_t)((all.status & ~X87_FLAGS) | flags);
    __asm__ volatile("fldenv %0" : : "m"(all));
}

/* Saves the environment, and sets the default one. */
static inline void environment_save(struct environment *e)
{
    e->sse = __builtin_ia32_stmxcsr();
    e->x87 = x87_control();
    if ((e->sse & ~SSE_FLAGS) != SSE_DEFAULT)
        __builtin_ia32_ldmxcsr(SSE_DEFAULT);
    if (e->x87 != X87_DEFAULT) {
        e->x87_flags = x87_flags();
        x87_set(X87_DEFAULT, 0);
    }
}

static inline void environment_restore(const struct environment *e)
{
    __builtin_ia32_ldmxcsr(e->sse);
    if (e->x87 != X87_DEFAULT)
        x87_set(e->x87, e->x87_flags);
}

/* Switches from the default environment to another one, and back. */
static inline uint64_t environment_visit(const struct environment *e)
{
    uint64_t own = x87_flags();
    environment_restore(e);
    return own;
}

static inline void environment_return(uint64_t own)
{
    __builtin_ia32_ldmxcsr(SSE_DEFAULT);
    if (x87_control() != X87_DEFAULT || x87_flags() != own)
        x87_set(X87_DEFAULT, (uint16_t)own);
}

#elif defined(__aarch64__)

struct environment {
    uint64_t control, flags;
};

static inline void environment_set(uint64_t control, uint64_t flags)
{
    __asm__ volatile("msr fpcr, %0\n\tmsr fpsr, %1" : : "r"(control), "r"(flags));
}

static inline void environment_save(struct environment *e)
{
    __asm__ volatile("mrs %0, fpcr\n\tmrs %1, fpsr" : "=r"(e->control), "=r"(e->flags));
    if (e->control)
        environment_set(0, 0);
}

static inline void environment_restore(const struct environment *e)
{
    environment_set(e->control, e->flags);
}

static inline uint64_t environment_visit(const struct environment *e)
{
    environment_restore(e);
    return 0;
}

static inline void environment_return(uint64_t own)
{
    (void)own;
    environment_set(0, 0);
}

#else

#include <fenv.h>

struct environment {
    fenv_t all; /* as far as C defines it */
};

static inline void environment_save(struct environment *e)
{
    fegetenv(&e->all);
    fesetenv(FE_DFL_ENV);
}

static inline void environment_restore(const struct environment *e)
{
    fesetenv(&e->all);
}

static inline uint64_t environment_visit(const struct environment *e)
{
    environment_restore(e);
    return 0;
}

static inline void environment_return(uint64_t own)
{
    (void)own;
    fesetenv(FE_DFL_ENV);
}

#endif
#endif
