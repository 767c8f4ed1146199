/* Files other than matrices that the command writes. Each appears whole or not at all. "-" is standard
 * output. */
#ifndef VKS_COMMAND_SHARED_FILES_H
#define VKS_COMMAND_SHARED_FILES_H

#include "report/json.h"
#include "report/message.h"

/* The kinds of matrix files that subcommands accept, for their help. */
#define FILE_KINDS                                                                             \
    "A.mtx is a Matrix Market, Harwell-Boeing or Rutherford-Boeing file, an .npz of SciPy's\n" \
    "save_npz, an .npy of NumPy or columns of numbers, recognized by its content. It may be\n" \
    "compressed with gzip, and a pipe; - is standard input."

/* Whether the path, which may be NULL, is "-". */
bool file_is_stream(const char *path);

/* Checks before long work that a file can be written at `path`, which may be NULL. From then on a signal that
 * kills the process leaves no partial file. */
vks_status file_check(struct message *m, const char *path);

/* Whether the two paths, which may be NULL, are or would be one file. Devices, pipes and standard output do
 * not count as files. "-" as `input` is the file that standard input is redirected from. */
bool file_is_same(const char *input, const char *output);

vks_status file_write(struct message *m, const char *path, const char *text);

/* Writes the contents of j, which is empty afterwards. */
vks_status file_write_json(struct message *m, const char *path, struct json *j);

/* Writes "iteration,residual" and a line for each value. The first value is iteration 0, the start; the
 * others are `step` iterations apart, up to the last one. */
vks_status file_write_history(struct message *m, const char *path, const double *history, uint32_t count,
                              uint32_t step, uint32_t last);

#endif
