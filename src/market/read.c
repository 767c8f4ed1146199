#include "market/mirror.h"

vks_status market_parse(struct message *m, const struct text *t, struct market *out)
{
    struct header header;
    struct body body = {0};
    vks_status status = header_read(m, t, &header);
    IF_OK(status, body_count(m, t, &header, &body));
    IF_OK(status, body_parse(m, t, &header, &body, &out->entries));
    IF_OK(status, mirror(m, t, &header, &body, &out->entries));
    if (!status) {
        out->kind = "Matrix Market";
        out->field = header.field;
        out->symmetry = header.symmetry;
        out->is_array = header.is_array;
        out->stored = header.entries;
    }
    body_free(&body);
    return status;
}

void market_free(struct market *a)
{
    triplets_free(&a->entries);
    *a = (struct market){0};
}
