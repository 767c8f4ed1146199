/* For the suites of the command: runs it, and checks its output. Each test has its own folder. */
#ifndef TESTS_CLI_H
#define TESTS_CLI_H

#include "json_valid.h"
#include "tests/support/gpu_name.h"
#include "tests/support/own.h"

#include <criterion/criterion.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[64];

static void make_folder(void)
{
    snprintf(folder, sizeof folder, "/tmp/vksolve-cli-XXXXXX");
    cr_assert(mkdtemp(folder));
    setenv("FOLDER", folder, 1);
    setenv("VKSOLVE", VKSOLVE, 1);
    setenv("VKSOLVE_UMFPACK", "/nowhere/libumfpack.so",
           1); /* else small systems would be solved without iterations */
    setenv("GPU", gpu_name(), 1);
    setenv("MATRICES", SOURCE_DIR "/matrices", 1);
}

static void remove_folder(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    cr_assert_eq(system(command), 0);
}

static inline char *in_folder(const char *name, char path[256])
{
    snprintf(path, 256, "%s/%s", folder, name);
    return path;
}

/* The text of a file in the folder, which the caller frees; NULL if there is none. */
static char *read_text(const char *name)
{
    char path[256];
    FILE *f = fopen(in_folder(name, path), "r");
    if (!f)
        return NULL;
    cr_assert_eq(fseek(f, 0, SEEK_END), 0);
    size_t size = (size_t)ftell(f);
    rewind(f);
    char *text = calloc(size + 1, 1);
    cr_assert(text && fread(text, 1, size, f) == size);
    fclose(f);
    return text;
}

static inline void write_text(const char *name, const char *text)
{
    char path[256];
    FILE *f = fopen(in_folder(name, path), "w");
    cr_assert(f && fputs(text, f) >= 0);
    cr_assert_eq(fclose(f), 0);
}

static inline int count_lines(const char *text)
{
    int count = 0;
    for (; *text; text++)
        count += *text == '\n';
    return count;
}

/* What a shell command printed, and its exit code; 128 + the signal that killed it. */
struct ran {
    int code;
    char *out, *err;
};

/* Runs a line of sh. $VKSOLVE, $FOLDER and $MATRICES are defined, and are one word each even with blanks.
 * Free the result with ran_free. */
static struct ran run(const char *line)
{
    char whole[2048];
    snprintf(whole, sizeof whole, "IFS=; { %s\n} >\"$FOLDER/out\" 2>\"$FOLDER/err\"", line);
    int status = system(whole);
    struct ran r = {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), read_text("out"),
                    read_text("err")};
    cr_assert(r.out && r.err);
    return r;
}

static void ran_free(struct ran *r)
{
    free(r->out);
    free(r->err);
}

/* Runs a line, and compares the exit code and parts of the output, on stderr or stdout; the last part is
 * NULL. JSON on stdout must be valid. */
static inline void expect_parts(const char *line, int code, ...)
{
    OWNED_STRUCT(ran) r = run(line);
    va_list parts;
    cr_expect_eq(r.code, code, "%s: exit code %d, expected %d\n%s", line, r.code, code, r.err);
    if (strstr(line, "--json -") && r.out[0] == '{')
        cr_expect(json_valid(r.out), "%s: not JSON:\n%s", line, r.out);
    va_start(parts, code);
    for (const char *part; (part = va_arg(parts, const char *));)
        cr_expect(strstr(r.err, part) || strstr(r.out, part), "%s: no \"%s\" in\n%s%s", line, part, r.out,
                  r.err);
    va_end(parts);
}

static inline void expect(const char *line, int code, const char *part)
{
    expect_parts(line, code, part, NULL);
}

/* Runs a line, and compares the whole output: `want` on stdout, and nothing on stderr. */
static inline void expect_output(const char *line, const char *want)
{
    OWNED_STRUCT(ran) r = run(line);
    cr_expect_eq(r.code, 0, "%s: exit code %d\n%s", line, r.code, r.err);
    cr_expect_str_eq(r.out, want, "%s:\n%s", line, r.out);
    cr_expect_str_empty(r.err, "%s: %s", line, r.err);
}

#endif
