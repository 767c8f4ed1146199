#include "device/kernel.h"

#include <stdlib.h>
#include <string.h>

bool kernel_code(const struct kernel *k, enum precision p, bool subgroups, struct spirv *out)
{
    const struct kernel_code *code = &k->code[p][subgroups];
    if (!code->words)
        return spirv_unpack(&k->pack, code->module, out);
    *out = (struct spirv){malloc(code->count * sizeof *out->word), code->count};
    if (out->word)
        memcpy(out->word, code->words, code->count * sizeof *out->word);
    return out->word != NULL;
}
