#include "command/shared/stored.h"
#include "report/words.h"
#include "sparse/kinds.h"
#include "sparse/narrow.h"

#include <stdlib.h>

struct stored stored_of(const vks_matrix *A)
{
    struct stored s = {.mixed = vks_matrix_precision(A) == VKS_MIXED,
                       .pairs = matrix_in_pairs(A),
                       .kinds = vks_matrix_entry_kinds(A),
                       .entries = vks_matrix_entries(A),
                       .value_bytes = vks_matrix_value_bytes(A)};
    s.lost = vks_matrix_lost_value(A, &s.row, &s.col, &s.value);
    return s;
}

struct stored stored_on_host(const struct host_csr *a)
{
    struct stored s = {.mixed = true, .entries = host_csr_entries(a), .value_bytes = 4};
    for (uint32_t i = 0; i < a->rows; i++)
        for (uint32_t k = a->row[i]; k < a->row[i + 1]; k++)
            if (!value_survives(a->val[k])) {
                s.lost = true;
                s.value_bytes = 8;
                s.row = i;
                s.col = a->col[k];
                s.value = a->val[k];
                return s;
            }
    return s;
}

/* The fewest digits that read back as the same number; they show the digits that f32 lacks. */
static struct words digits_of(double value)
{
    struct words w;
    int digits = 1;
    do
        snprintf(w.text, sizeof w.text, "%.*g", digits, value);
    while (digits++ < 17 && strtod(w.text, NULL) != value);
    return w;
}

void stored_print(const struct stored *s, const char *word, FILE *to)
{
    if (s->kinds)
        fprintf(to, "entries     of %s kind%s, %s each\n", words_count(s->kinds).text,
                s->kinds > 1 ? "s" : "", s->kinds > KINDS_OF_A_BYTE ? "two bytes" : "a byte");
    if (s->pairs)
        fprintf(to, "%-11s stored as pairs of f32, which hold 48 bits or more\n", word);
    if (!s->mixed || s->pairs)
        return;
    fprintf(to, "%-11s stored in f%u: ", word, 8 * s->value_bytes);
    if (s->lost)
        fprintf(to, "entry (%u, %u) = %s does not survive f32\n", s->row + 1, s->col + 1,
                digits_of(s->value).text);
    else
        fprintf(to, "all %s survive\n", words_count(s->entries).text);
}

void stored_to_json(const struct stored *s, struct json *j)
{
    if (!s->mixed) {
        json_null(j, "mixed");
        return;
    }
    json_object(j, "mixed");
    json_count(j, "value_bytes", s->value_bytes);
    if (s->lost) {
        json_object(j, "lost");
        json_count(j, "row", s->row + (uint64_t)1);
        json_count(j, "col", s->col + (uint64_t)1);
        json_number(j, "value", s->value);
        json_end_object(j);
    } else {
        json_null(j, "lost");
    }
    json_end_object(j);
}
