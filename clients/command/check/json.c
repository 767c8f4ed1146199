#include "command/check/json.h"

static void put_diagnosis(struct json *j, const char *name, const struct csr_diagnosis *f)
{
    json_object(j, name);
    json_count(j, "count", f->count);
    if (f->count) {
        json_count(j, "row", (uint64_t)f->row + 1);
        json_count(j, "col", (uint64_t)f->col + 1);
    }
    json_end_object(j);
}

static void put_verdicts(struct json *j, const struct diagnosis *x)
{
    json_array(j, "verdicts");
    for (int k = 1; k < VKS_METHOD_COUNT_; k++)
        for (int p = VKS_PRECOND_NONE; p < check_end_of_verdicts(k); p++) {
            const char *why = x->against[k][p];
            json_object(j, NULL);
            json_string(j, "method", vks_method_name((vks_method)k));
            json_string(j, "precond",
                        vks_method_takes_precond((vks_method)k) ? vks_precond_name((vks_precond_kind)p)
                                                                : NULL);
            json_bool(j, "fit", !why[0]);
            json_string(j, "why_not", why[0] ? why : NULL);
            json_end_object(j);
        }
    json_end_array(j);
}

void check_to_json(const struct diagnosis *x, struct json *j)
{
    const struct csr_diagnoses *f = &x->f;
    struct csr_diagnosis minor = {x->minor.found, x->minor.row, x->minor.col};
    json_object(j, NULL);
    json_string(j, "path", x->path);
    json_count(j, "rows", f->rows);
    json_count(j, "cols", f->cols);
    json_count(j, "entries", f->entries);
    json_object(j, "findings");
#define X(name, square, text) put_diagnosis(j, #name, &f->name);
    CSR_DIAGNOSES(X)
#undef X
    put_diagnosis(j, "bad_minor", &minor);
    put_diagnosis(j, "infinite_reciprocals", &x->infinite_reciprocals);
    json_end_object(j);
    json_bool(j, "zero_row_sums", x->zero_row_sums);
    json_number(j, "asymmetry", f->largest > 0 ? f->largest_difference / f->largest : 0);
    json_number(j, "smallest", f->smallest);
    json_number(j, "largest", f->largest);
    put_verdicts(j, x);
    if (x->has_plan) {
        json_object(j, "auto");
        plan_to_json(&x->plan, j);
        json_end_object(j);
    }
    json_end_object(j);
}
