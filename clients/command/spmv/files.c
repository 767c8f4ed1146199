#include "command/shared/files.h"
#include "command/spmv/files.h"
#include "report/words.h"

#include <math.h>
#include <stdlib.h>

/* Writes a text as CSV quotes it (RFC 4180). */
static void put_quoted(FILE *f, const char *text)
{
    fputc('"', f);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', f);
        fputc(*text, f);
    }
    fputc('"', f);
}

/* Writes a comma, and the number in the fewest digits that read back as the same one; nothing after the comma
 * if it is NaN. */
static void put_number(FILE *f, double value)
{
    char text[40];
    int digits = 15;
    do
        snprintf(text, sizeof text, "%.*g", digits, value);
    while (digits++ < 17 && strtod(text, NULL) != value);
    fprintf(f, ",%s", isnan(value) ? "" : text);
}

static void put_row(FILE *f, const struct spmv_job *job, const struct spmv_matrix *a,
                    const struct spmv_row *row)
{
    put_quoted(f, a->path);
    fprintf(f, ",%u,%u,%llu,%s,%s,", a->rows, a->cols, (unsigned long long)a->entries,
            words_precisions[job->precision], row->format.text);
    put_quoted(f, row->refused.text);
#define X(name) put_number(f, row->figures.name);
    SPMV_FIGURES(X)
#undef X
    fputs("\r\n", f);
}

static void put_csv(FILE *f, const struct spmv_job *job)
{
    fputs("matrix,rows,cols,entries,precision,format,refused", f);
#define X(name) fputs("," #name, f);
    SPMV_FIGURES(X)
#undef X
    fputs("\r\n", f);
    for (int i = 0; i < job->count; i++)
        for (int k = 0; k < job->matrices[i].count; k++)
            put_row(f, job, &job->matrices[i], &job->matrices[i].row[k]);
}

vks_status spmv_write_csv(struct message *m, const struct spmv_job *job)
{
    char *text = NULL;
    size_t length = 0;
    FILE *f = open_memstream(&text, &length);
    if (!f)
        return fail_memory(m, job->set.csv, 1);
    put_csv(f, job);
    bool failed = ferror(f);
    failed = fclose(f) || failed;
    vks_status s = failed ? fail_memory(m, job->set.csv, length) : file_write(m, job->set.csv, text);
    free(text);
    return s;
}

static void put_format(struct json *j, const struct spmv_row *row)
{
    json_object(j, NULL);
    json_string(j, "format", row->format.text);
    json_string(j, "refused", row->status ? row->refused.text : NULL);
#define X(name) json_number(j, #name, row->figures.name);
    SPMV_FIGURES(X)
#undef X
    json_end_object(j);
}

static void put_matrix(struct json *j, const struct spmv_matrix *a)
{
    bool chosen = a->chosen != VKS_FORMAT_AUTO;
    json_object(j, NULL);
    json_string(j, "path", a->path);
    json_count(j, "rows", a->rows);
    json_count(j, "cols", a->cols);
    json_count(j, "entries", a->entries);
    stored_to_json(&a->stored, j);
    json_object(j, "auto");
    json_string(j, "format", chosen ? vks_format_name(a->chosen) : NULL);
    json_string(j, "reason", chosen ? a->reason : NULL);
    json_number(j, "setup_seconds", a->chosen_seconds);
    json_end_object(j);
    json_array(j, "formats");
    for (int i = 0; i < a->count; i++)
        put_format(j, &a->row[i]);
    json_end_array(j);
    json_end_object(j);
}

vks_status spmv_write_json(struct message *m, const struct spmv_job *job)
{
    struct json j = {0};
    json_object(&j, NULL);
    json_string(&j, "version", vks_version());
    json_object(&j, "device");
    json_string(&j, "kind", vks_device_kind_text(job->device.kind));
    json_string(&j, "name", job->device.name);
    json_string(&j, "driver", job->device.driver);
    json_end_object(&j);
    json_string(&j, "precision", words_precisions[job->precision]);
    json_string(&j, "clock", job->timed ? "device" : "program");
    json_number(&j, "copy_bandwidth", job->copy_bandwidth);
    json_count(&j, "cold_bytes", SPMV_COLD_BYTES);
    json_array(&j, "matrices");
    for (int i = 0; i < job->count; i++)
        put_matrix(&j, &job->matrices[i]);
    json_end_array(&j);
    json_end_object(&j);
    vks_status s = file_write_json(m, job->set.json, &j);
    json_free(&j);
    return s;
}
