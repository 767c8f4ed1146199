#include "solvers/diagnosis.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void diagnosis_clear(struct diagnosis *f)
{
    *f = (struct diagnosis){
        .reason = VKS_REASON_NOT_RUN, .row = UINT32_MAX, .order = f->order, .caller = f->caller};
}

void diagnosis_inherit(struct diagnosis *f, const struct diagnosis *other)
{
    f->order = other->order;
    f->caller = other->caller;
}

void diagnosis_cancel(struct diagnosis *f)
{
    diagnosis_refuse(f, VKS_REASON_CANCELLED, UINT32_MAX, "%s", "");
}

bool diagnosis_cancels(struct diagnosis *f)
{
    bool cancels = caller_cancels(&f->caller);
    if (cancels)
        diagnosis_cancel(f);
    return cancels;
}

void detail_add_f32(char *detail, size_t size)
{
    static const char words[] = ", in f32";
    size_t used = strlen(detail), length = sizeof words - 1;
    bool is_there = used >= length && !strcmp(detail + used - length, words);
    if (used && !is_there)
        snprintf(detail + used, size - used, "%s", words);
}

void diagnosis_refuse(struct diagnosis *f, vks_reason reason, uint32_t row, const char *detail, ...)
{
    va_list list;
    f->reason = reason;
    f->row = row;
    va_start(list, detail);
    vsnprintf(f->detail, sizeof f->detail, detail, list);
    va_end(list);
}

void diagnosis_detail(struct diagnosis *f, const char *detail, ...)
{
    va_list list;
    va_start(list, detail);
    vsnprintf(f->detail, sizeof f->detail, detail, list);
    va_end(list);
}

void diagnosis_warn(struct diagnosis *f, const char *warning, ...)
{
    va_list list;
    va_start(list, warning);
    vsnprintf(f->warning, sizeof f->warning, warning, list);
    va_end(list);
}
