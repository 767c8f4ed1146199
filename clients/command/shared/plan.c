#include "command/shared/plan.h"
#include "command/shared/preconds.h"
#include "report/words.h"

vks_status planner_open(struct message *m, const struct host_csr *a, vks_precision precision,
                        struct planner *p)
{
    vks_context_options o = {.device = "host", .message = m->text, .message_size = sizeof m->text};
    vks_matrix_options storage = {.precision = precision, .of_values = VKS_F64};
    *p = (struct planner){0};
    TRY(vks_context_create(&o, &p->context));
    vks_status status =
        vks_matrix_from_csr(p->context, a->rows, a->cols, a->row, a->col, a->val, &storage, &p->A);
    if (status)
        set_message(m, "%s", vks_context_message(p->context));
    return status;
}

vks_status planner_plan(struct message *m, const struct planner *p, const vks_solve_options *options,
                        vks_plan *plan)
{
    vks_status status = vks_solve_plan(p->A, options, plan);
    if (status)
        set_message(m, "%s", vks_context_message(p->context));
    return status;
}

void planner_close(struct planner *p)
{
    vks_matrix_destroy(p->A);
    vks_context_destroy(p->context);
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
        fprintf(to, " with %s", row->precond ? precond_write(row->precond).text : "auto");
    if (row->restart)
        fprintf(to, ", restart %u", row->restart);
    if (row->scaling > VKS_SCALING_NONE)
        fprintf(to, ", scaling %s", vks_scaling_name(row->scaling));
    if (row->products)
        fprintf(to, ", up to %u products", row->products);
}

static void print_rows(const vks_plan *plan, FILE *to)
{
    if (plan->row_range >= VKS_ROWS_DIFFER)
        fprintf(
            to,
            "rows of A differ in size by %.1e, from row %s to row %s: the residual has to meet the tolerance "
            "also with the rows divided by their sizes\n",
            plan->row_range, words_count(plan->least_row + 1).text, words_count(plan->largest_row + 1).text);
}

void plan_print(const vks_plan *plan, FILE *to)
{
    uint32_t number = 0;
    print_rows(plan, to);
    if (plan->count == 1) {
        fprintf(to, "one attempt: ");
        print_attempt(plan->row, to);
        fprintf(to, " (%s)\n", plan->row->condition);
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
    json_number(j, "row_range", plan->row_range);
    json_array(j, "attempts");
    for (uint32_t k = 0; k < plan->count; k++) {
        const vks_plan_row *row = &plan->row[k];
        json_object(j, NULL);
        json_string(j, "method", vks_method_name(row->method));
        json_string(j, "precond", row->precond ? precond_write(row->precond).text : NULL);
        json_string(j, "scaling", vks_scaling_name(row->scaling));
        json_count(j, "restart", row->restart);
        json_count(j, "products", row->products);
        json_string(j, "condition", row->condition);
        json_bool(j, "applies", row->applies);
        json_end_object(j);
    }
    json_end_array(j);
}
