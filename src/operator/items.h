/* The tokens of a text for macro expansion: where a macro may expand, and which one. */
#ifndef VKS_OPERATOR_ITEMS_H
#define VKS_OPERATOR_ITEMS_H

#include "operator/tokens.h"
#include "report/message.h"
#include <stdint.h>

enum item_kind { PLAIN, OPEN, CLOSE, END, MACRO, PARAMETER, REFERENCE, INCLUDED };
struct item {
    uint16_t kind, index; /* index: of a macro or a parameter */
};

struct definition {
    struct token name;
    size_t same; /* the first definition of the name */
    bool takes_parameters;
    const char *parameters, *body, *end; /* the parameters end where the body begins */
    size_t first, count;                 /* items of the body */
};

struct items {
    struct message *m;
    struct definition *definition; /* room for TEXT_MOST_MACROS */
    struct item *item;             /* the caller frees it */
    size_t definitions, items, room;
};

/* Collects the definitions of a text, which must stay valid. VKS_INVALID_ARGUMENT: they paste names together,
 * or the text is the program's and requests something forbidden in an operator's text. */
vks_status items_define(struct items *g, const char *at, bool of_program);

/* Append the items of a definition's body, once all definitions are known; or of a text except its
 * definitions, in which each directive is a statement. */
vks_status items_add_body(struct items *g, struct definition *d);
vks_status items_add_text(struct items *g, const char *at);

/* "the glsl has WHAT, which rows of an operator cannot have" */
vks_status cannot_have(struct message *m, const char *what);

#endif
