#include "abi/now.h"

#include "abi/header.h"
#include "abi/structs.h"
#include "solvers/dense/call.h"

/* Leaves the failure in what every version has of the report. */
static vks_status refuse(const struct message *m, vks_status s, vks_gauss_jordan_report *report)
{
    vks_gauss_jordan_report failed;
    gauss_jordan_failed(&failed, m->text);
    vks_gauss_jordan_report_out(HEADER_0_1, &failed, report);
    return s;
}

vks_status vks_gauss_jordan_solve_2(uint32_t header, const vks_dense *A, vks_dense *B,
                                    const vks_gauss_jordan_options *options, vks_gauss_jordan_report *report)
{
    vks_gauss_jordan_options asked;
    vks_gauss_jordan_report told, *to = vks_gauss_jordan_report_room(header, report, &told);
    vks_status s = header_begin(A->context, header);
    if (s)
        return refuse(&A->context->message, s, report);
    s = vks_gauss_jordan_solve_now(A, B, vks_gauss_jordan_options_in(header, options, &asked), to);
    vks_gauss_jordan_report_out(header, to, report);
    return s;
}

vks_status vks_gauss_jordan_solve_vector_2(uint32_t header, const vks_dense *A, const vks_vector *b,
                                           vks_vector *x, const vks_gauss_jordan_options *options,
                                           vks_gauss_jordan_report *report)
{
    vks_gauss_jordan_options asked;
    vks_gauss_jordan_report told, *to = vks_gauss_jordan_report_room(header, report, &told);
    vks_status s = header_begin(A->context, header);
    if (s)
        return refuse(&A->context->message, s, report);
    s = vks_gauss_jordan_solve_vector_now(A, b, x, vks_gauss_jordan_options_in(header, options, &asked), to);
    vks_gauss_jordan_report_out(header, to, report);
    return s;
}

vks_status vks_gauss_jordan_invert_2(uint32_t header, const vks_dense *A, vks_dense **inverse,
                                     const vks_gauss_jordan_options *options, vks_gauss_jordan_report *report)
{
    vks_gauss_jordan_options asked;
    vks_gauss_jordan_report told, *to = vks_gauss_jordan_report_room(header, report, &told);
    vks_status s = header_begin(A->context, header);
    *inverse = NULL;
    if (s)
        return refuse(&A->context->message, s, report);
    s = vks_gauss_jordan_invert_now(A, inverse, vks_gauss_jordan_options_in(header, options, &asked), to);
    vks_gauss_jordan_report_out(header, to, report);
    return s;
}
