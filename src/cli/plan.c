#include "cli/plan.h"
#include "cli/preconds.h"
#include "cli/words.h"

vks_status plan_make(struct message *m, const struct host_csr *a, vks_plan *plan)
{
    vks_context_options o = {.device = "host", .message = m->text, .message_size = sizeof m->text};
    vks_context *c = NULL;
    vks_matrix *A = NULL;
    vks_status status = vks_context_create(&o, &c);
    if (status)
        return status;
    status = vks_matrix_from_csr(c, a->rows, a->cols, a->row, a->col, a->val, NULL, &A);
    if (!status)
        status = vks_solve_plan(A, plan);
    if (status)
        snprintf(m->text, sizeof m->text, "%s", vks_context_message(c));
    vks_matrix_destroy(A);
    vks_context_destroy(c);
    return status;
}

static const char *yes_or_no(int is)
{
    return is ? "yes" : "no";
}

/* "idr with fsai, scaling match" */
static void print_attempt(const vks_plan_row *row, FILE *to)
{
    bool takes = vks_method_takes_precond(row->method);
    fprintf(to, "%s", vks_method_name(row->method));
    if (takes)
        fprintf(to, " with %s", row->precond ? preconds_write(row->precond).text : "auto");
    if (row->scaling)
        fprintf(to, ", scaling %s", vks_scaling_name(row->scaling));
    if (row->products)
        fprintf(to, ", up to %u products", row->products);
}

void plan_print(const vks_plan *plan, FILE *to)
{
    uint32_t number = 0;
    if (!plan->square) {
        fprintf(to, "--method auto is lsmr: A is not square\n");
        return;
    }
    fprintf(to, "attempts of --method auto, each from the best x so far, until one converges\n");
    fprintf(to, "  symmetric %s, positive diagonal %s, weak diagonal entries %s", yes_or_no(plan->symmetric),
            yes_or_no(plan->positive), words_count(plan->weak).text);
    if (plan->structural_rank)
        fprintf(to, ", structural rank %s", words_count(plan->structural_rank).text);
    fputc('\n', to);
    for (uint32_t k = 0; k < plan->count; k++) {
        const vks_plan_row *row = &plan->row[k];
        if (row->applies)
            fprintf(to, "  %2u. ", ++number);
        else
            fprintf(to, "   -  ");
        print_attempt(row, to);
        fprintf(to, " (%s%s)\n", row->applies ? "" : "only if: ", row->condition);
    }
}

void plan_to_json(const vks_plan *plan, struct json *j)
{
    json_bool(j, "symmetric", plan->symmetric);
    json_bool(j, "positive_diagonal", plan->positive);
    json_count(j, "weak_diagonal", plan->weak);
    json_count(j, "structural_rank", plan->structural_rank);
    json_array(j, "attempts");
    for (uint32_t k = 0; k < plan->count; k++) {
        const vks_plan_row *row = &plan->row[k];
        json_object(j, NULL);
        json_string(j, "method", vks_method_name(row->method));
        json_string(j, "precond", row->precond ? preconds_write(row->precond).text : NULL);
        json_string(j, "scaling", vks_scaling_name(row->scaling));
        json_count(j, "products", row->products);
        json_string(j, "condition", row->condition);
        json_bool(j, "applies", row->applies);
        json_end_object(j);
    }
    json_end_array(j);
}
