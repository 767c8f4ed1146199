/* What the command writes beside matrices: files that appear whole or not at all. "-" is standard output. */
#ifndef VKS_COMMAND_SHARED_FILES_H
#define VKS_COMMAND_SHARED_FILES_H

#include "report/json.h"
#include "report/message.h"

/* What the matrices of subcommands may be, for their help. */
#define FILE_KINDS                                                                             \
    "A.mtx is a Matrix Market, Harwell-Boeing or Rutherford-Boeing file, an .npz of SciPy's\n" \
    "save_npz, an .npy of NumPy or columns of numbers, as its content says. It may be\n"       \
    "compressed with gzip, and a pipe; - is standard input."

/* Whether the path, which may be NULL, is "-". */
bool file_is_stream(const char *path);

/* Checks before long work that a file can be written at `path`, which may be NULL. From here on a signal
 * that kills the process leaves no part of the file. */
vks_status file_check(struct message *m, const char *path);

/* Whether the two, which may be NULL, are one file or would be. What both write to a device or a pipe, and
 * standard output, are not files. "-" as `input` is the file that standard input comes from. */
bool file_is_same(const char *input, const char *output);

vks_status file_write(struct message *m, const char *path, const char *text);

/* Writes what j holds, which is empty afterwards. */
vks_status file_write_json(struct message *m, const char *path, struct json *j);

/* "iteration,residual" and a line for each of the values, the first of which is iteration 0, the start; the
 * others are `step` iterations apart, up to the last one. */
vks_status file_write_history(struct message *m, const char *path, const double *history, uint32_t count,
                              uint32_t step, uint32_t last);

#endif
