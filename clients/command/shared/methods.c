#include "command/shared/methods.h"

#include <stddef.h>
#include <string.h>

/* The options of auto: the value other than the default, and the default. */
static const struct {
    const char *key, *other, *usual;
    size_t offset;
} options[] = {{"device", "any", "own", offsetof(struct method_word, any_device)},
               {"direct", "no", "yes", offsetof(struct method_word, no_direct)}};
enum { OPTIONS = sizeof options / sizeof *options };

/* Skips a word if *text begins with it, and returns whether it does. */
static bool takes(const char **text, const char *word)
{
    size_t length = strlen(word);
    if (strncmp(*text, word, length) != 0)
        return false;
    *text += length;
    return true;
}

static bool read_option(const char **at, struct method_word *out)
{
    for (int k = 0; k < OPTIONS; k++) {
        bool *to = (bool *)((char *)out + options[k].offset);
        if (!takes(at, options[k].key))
            continue;
        if (!takes(at, "="))
            return false;
        *to = takes(at, options[k].other);
        return *to || takes(at, options[k].usual);
    }
    return false;
}

/* (KEY=VALUE,...) */
static vks_status read_options(struct message *m, const char *text, const char *at, struct method_word *out)
{
    bool is_right;
    do {
        at++;
        is_right = read_option(&at, out);
    } while (is_right && *at == ',');
    if (is_right && !strcmp(at, ")"))
        return VKS_OK;
    return fail(m, VKS_INVALID_ARGUMENT, "expected options of auto as in auto(device=any,direct=no), not %s",
                text);
}

vks_status method_read(struct message *m, const char *text, struct method_word *out)
{
    size_t length = strcspn(text, "(");
    *out = (struct method_word){VKS_METHOD_AUTO, false, false};
    for (int k = VKS_METHOD_AUTO; k < VKS_METHOD_COUNT_; k++) {
        const char *name = vks_method_name((vks_method)k);
        if (strlen(name) != length || strncmp(name, text, length) != 0)
            continue;
        out->method = (vks_method)k;
        if (!text[length])
            return VKS_OK;
        return k == VKS_METHOD_AUTO ? read_options(m, text, text + length, out)
                                    : fail(m, VKS_INVALID_ARGUMENT, "%s takes no options in brackets", name);
    }
#define NAME(KIND, module, name, text) ", " name
    return fail(m, VKS_INVALID_ARGUMENT, "unknown method %s; expected auto" VKS_METHODS(NAME), text);
#undef NAME
}
