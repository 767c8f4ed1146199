#include "command/solve/load.h"
#include "command/solve/known.h"
#include "command/solve/method.h"
#include "files/files.h"
#include "report/clock.h"
#include "report/words.h"

#include <inttypes.h>
#include <sys/stat.h>

static vks_status examine(struct message *m, struct solve_job *job)
{
    struct csr_diagnoses f;
    TRY(csr_check(m, &job->a, &f));
    solve_choose(job, &f);
    return VKS_OK;
}

/* Checked here, since the library would reject it only after minutes spent on a CSR of billions of rows. */
static vks_status check_rows(struct message *m, const struct solve_job *job, uint32_t rows)
{
    if (job->set.method != VKS_METHOD_GAUSS_JORDAN || rows <= VKS_GAUSS_JORDAN_LARGEST)
        return VKS_OK;
    return fail(m, VKS_LIMIT,
                "%s: A has %" PRIu32 " rows; gauss-jordan takes sparse matrices of up to %u, as dense ones",
                job->path, rows, VKS_GAUSS_JORDAN_LARGEST);
}

/* lsmr takes any shape, in the given order. */
static vks_status check_shape(struct message *m, const struct solve_job *job, uint32_t rows, uint32_t cols)
{
    const struct solve_settings *set = &job->set;
    bool by_lsmr = set->method == VKS_METHOD_AUTO || set->method == VKS_METHOD_LSMR;
    if (rows == cols || (by_lsmr && !set->reorder && !set->singular))
        return VKS_OK;
    const char *what = !by_lsmr        ? vks_method_name((vks_method)set->method)
                       : set->singular ? "--singular"
                                       : "--reorder";
    return fail(m, VKS_INVALID_ARGUMENT,
                "%s: the matrix is %" PRIu32 " x %" PRIu32 "; %s needs a square one%s", job->path, rows, cols,
                what, by_lsmr ? "" : "; lsmr, the default here, does not");
}

static vks_status assemble(struct message *m, struct solve_job *job, const struct triplets *t)
{
    TRY(check_shape(m, job, t->rows, t->cols));
    TRY(check_rows(m, job, t->rows));
    live_stage(&job->live, "sorting %s", words_name(job->path).text);
    return host_csr_assemble(m, t, &job->a);
}

static vks_status read_matrix(struct message *m, struct solve_job *job)
{
    struct market file;
    vks_status status = files_read_matrix(m, job->path, &file);
    IF_OK(status, assemble(m, job, &file.entries));
    market_free(&file);
    return status ? status : examine(m, job);
}

static vks_status read_rhs(struct message *m, struct solve_job *job)
{
    uint32_t rows, cols, n = job->a.rows;
    TRY(files_read_dense(m, job->set.rhs, &rows, &cols, &job->b));
    if (rows != n || cols == 0)
        return fail(m, VKS_INVALID_ARGUMENT,
                    "%s: the right-hand side is %" PRIu32 " x %" PRIu32 "; the matrix, %" PRIu32 " x %" PRIu32
                    ", needs %" PRIu32 " rows and a column or more",
                    job->set.rhs, rows, cols, n, job->a.cols, n);
    const char *of_one = job->set.history   ? "history"
                         : job->set.plot    ? "plot"
                         : job->set.compare ? "compare"
                                            : NULL;
    if (cols > 1 && of_one)
        return fail(m, VKS_INVALID_ARGUMENT,
                    "%s: the right-hand side has %" PRIu32 " columns; --%s takes one", job->set.rhs, cols,
                    of_one);
    job->columns = cols;
    return VKS_OK;
}

/* The matrix in the progress line: its name and, unless it is read from a pipe, the size of its file. */
struct reading {
    struct live *live;
    char matrix[104];
};

static void show_reading(struct solve_job *job, struct reading *r)
{
    struct stat file;
    bool has_size = !stat(job->path, &file) && S_ISREG(file.st_mode);
    r->live = &job->live;
    snprintf(r->matrix, sizeof r->matrix, "%s%s%s", words_name(job->path).text, has_size ? ", " : "",
             has_size ? words_bytes((double)file.st_size).text : "");
    live_stage(r->live, "reading %s", r->matrix);
}

static void show_share(void *reading, const char *what, double share)
{
    struct reading *r = reading;
    char left[LIVE_LEFT];
    if (live_share(r->live, what, share, clock_seconds(), left))
        live_stage(r->live, "%s %s  %.0f %%  %s", what, r->matrix, 100 * share, left);
}

vks_status solve_load(struct message *m, struct solve_job *job)
{
    double begun = clock_seconds();
    struct reading reading;
    show_reading(job, &reading);
    m->watch = &(struct watch){show_share, &reading};
    vks_status status = read_matrix(m, job);
    m->watch = NULL;
    IF_OK(status, job->set.rhs ? read_rhs(m, job) : solve_multiply_known(m, job));
    job->seconds.read = clock_seconds() - begun;
    return status;
}
