#include "solvers/hierarchy_text.h"
#include "report/words.h"

#include <math.h>

static double mean_row(const vks_level *l)
{
    return l->rows ? (double)l->entries / l->rows : 0;
}

void hierarchy_print_level(const vks_level *l, FILE *to)
{
    fprintf(to, "%13s rows  %14s entries, %.4g a row", words_count(l->rows).text,
            words_count(l->entries).text, mean_row(l));
}

void hierarchy_print_complexity(const vks_hierarchy *h, FILE *to)
{
    fprintf(to, "entries of all %.3g times those of the first, rows %.3g times\n", h->operator_complexity,
            h->grid_complexity);
}

void hierarchy_print(const vks_hierarchy *h, uint64_t bytes, FILE *to)
{
    for (uint32_t i = 0; i < h->levels; i++) {
        fputs(i ? "            " : "levels      ", to);
        hierarchy_print_level(&h->level[i], to);
        fprintf(to, ", set up in %s\n", words_seconds(h->level[i].seconds).text);
    }
    if (h->levels > 1) {
        fputs("            ", to);
        hierarchy_print_complexity(h, to);
    }
    if (h->levels)
        fprintf(to, "            %s of memory, in the set-up up to %s (expected: %s)\n",
                words_bytes((double)bytes).text, words_bytes((double)h->setup_bytes).text,
                words_bytes((double)h->expected_bytes).text);
}

void hierarchy_to_json(const vks_hierarchy *h, struct json *j)
{
    json_number(j, "operator_complexity", h->levels ? h->operator_complexity : NAN);
    json_number(j, "grid_complexity", h->levels ? h->grid_complexity : NAN);
    json_number(j, "expected_bytes", h->levels ? (double)h->expected_bytes : NAN);
    json_number(j, "setup_bytes", h->levels ? (double)h->setup_bytes : NAN);
    json_array(j, "levels");
    for (uint32_t i = 0; i < h->levels; i++) {
        json_object(j, NULL);
        json_count(j, "rows", h->level[i].rows);
        json_count(j, "entries", h->level[i].entries);
        json_number(j, "entries_a_row", mean_row(&h->level[i]));
        json_number(j, "seconds", h->level[i].seconds);
        json_end_object(j);
    }
    json_end_array(j);
}
