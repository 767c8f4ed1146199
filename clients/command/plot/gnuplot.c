#include "command/plot/gnuplot.h"
#include "command/shared/files.h"
#include "command/shared/interrupt.h"
#include "command/shared/options.h"
#include "market/output.h"
#include "report/clock.h"
#include "report/utf8.h"

#include <ctype.h>
#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static const char *const default_program = "gnuplot", *const package = "apt install gnuplot-nox";

/* A pixel of a PDF is half a point, so its charts are as wide as a text column. */
static const struct picture {
    const char *ending, *terminal;
    double pixels;          /* per unit of its sizes */
    const char *unit, *end; /* `end`: the last bytes of a complete picture */
} pictures[] = {
    {".png", "pngcairo", 1, "", "IEND\xAE\x42\x60\x82"},
    {".svg", "svg", 1, "", "</svg>"},
    {".pdf", "pdfcairo", 144, "in", "%%EOF"},
};
enum { PICTURES = sizeof pictures / sizeof *pictures };

static const struct picture *find_picture(const char *path)
{
    size_t length = strlen(path);
    for (int i = 0; i < PICTURES; i++) {
        size_t more = strlen(pictures[i].ending);
        if (length > more && !strcmp(path + length - more, pictures[i].ending))
            return &pictures[i];
    }
    return NULL;
}

static const char *program(void)
{
    const char *named = getenv("VKSOLVE_GNUPLOT");
    return named && named[0] ? named : default_program;
}

static vks_status find_limit(struct message *m, uint32_t *seconds)
{
    const char *text = getenv("VKSOLVE_GNUPLOT_SECONDS");
    *seconds = 60;
    if (text && text[0] && !parse_count(text, 1, 86400, seconds))
        return fail(m, VKS_INVALID_ARGUMENT,
                    "VKSOLVE_GNUPLOT_SECONDS '%s': must be a whole number from 1 to 86400", text);
    return VKS_OK;
}

static vks_status open_temporary(struct message *m, FILE **f)
{
    *f = tmpfile();
    return *f ? VKS_OK : fail(m, VKS_FILE, "no temporary file can be made for gnuplot: %s", strerror(errno));
}

static void close_temporary(FILE *f)
{
    if (f)
        fclose(f);
}

static vks_status cannot_start(struct message *m, int error)
{
    if (error == ENOMEM || error == EAGAIN)
        return fail(m, VKS_OUT_OF_MEMORY, "gnuplot cannot be started: %s", strerror(error));
    if (program() == default_program && error == ENOENT)
        return fail(m, VKS_UNSUPPORTED, "gnuplot is needed for pictures and was not found: %s", package);
    return fail(m, VKS_UNSUPPORTED, "gnuplot is needed for pictures, and '%s' cannot be run: %s (%s)",
                program(), strerror(error), package);
}

/* Starts gnuplot in its own process group, so that all its processes can be killed. GNUTERM names a terminal
 * that gnuplot opens before it reads its script; gnuplot exits if it lacks that terminal. */
static vks_status start(struct message *m, const char *option, FILE *const streams[3], pid_t *pid)
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t group;
    char *words[] = {(char *)program(), (char *)option, NULL};
    int error = posix_spawn_file_actions_init(&files);
    unsetenv("GNUTERM");
    if (error)
        return cannot_start(m, error);
    error = posix_spawnattr_init(&group);
    if (!error) {
        error = posix_spawnattr_setflags(&group, POSIX_SPAWN_SETPGROUP);
        for (int i = 0; i < 3 && !error; i++)
            error = posix_spawn_file_actions_adddup2(&files, fileno(streams[i]), i);
        if (!error)
            error = posix_spawnp(pid, program(), &files, &group, words, environ);
        posix_spawnattr_destroy(&group);
    }
    posix_spawn_file_actions_destroy(&files);
    return error ? cannot_start(m, error) : VKS_OK;
}

/* Reads the messages of gnuplot, on one line. */
static void read_words(FILE *f, char *words, size_t room)
{
    size_t used = 0;
    rewind(f);
    for (int c; (c = getc(f)) != EOF && used + 1 < room;)
        if (!isspace(c))
            words[used++] = (char)(iscntrl(c) ? '?' : c);
        else if (used && words[used - 1] != ' ')
            words[used++] = ' ';
    while (used && words[used - 1] == ' ')
        used--;
    words[used] = 0;
}

static vks_status check_ending(struct message *m, int status, FILE *errors)
{
    char words[600];
    if (WIFEXITED(status) && !WEXITSTATUS(status))
        return VKS_OK;
    read_words(errors, words, sizeof words);
    if (WIFSIGNALED(status))
        return fail(m, VKS_FILE, "gnuplot was ended by signal %d: %s", WTERMSIG(status), words);
    return fail(m, VKS_FILE, "gnuplot failed with exit code %d: %s", WEXITSTATUS(status),
                words[0] ? words : "no error message");
}

/* Runs gnuplot until it exits, or kills it at the limit. No other code waits for the process. */
static vks_status run(struct message *m, const char *option, FILE *const streams[3])
{
    const struct timespec pause = {.tv_nsec = 2000000};
    uint32_t limit;
    pid_t pid, ended = 0;
    int how =
        0; /* remains 0 if the system has reaped the process itself, which it does if SIGCHLD is ignored */
    TRY(find_limit(m, &limit));
    interrupt_catch();
    vks_status status = start(m, option, streams, &pid);
    double end = clock_seconds() + limit;
    while (!status && !(ended = waitpid(pid, &how, WNOHANG)) && !interrupted() && clock_seconds() < end)
        nanosleep(&pause, NULL);
    if (!status && !ended) {
        kill(-pid, SIGKILL);
        waitpid(pid, NULL, 0);
        if (!interrupted())
            status = fail(m, VKS_FILE,
                          "gnuplot did not end within %u seconds (VKSOLVE_GNUPLOT_SECONDS), and was killed",
                          limit);
    }
    if (!status && interrupted()) /* even if it had just exited */
        status = fail(m, VKS_FILE, "interrupted while gnuplot was drawing");
    interrupt_release();
    return status ? status : check_ending(m, how, streams[2]);
}

vks_status gnuplot_check(struct message *m, const char *path)
{
    if (!path)
        return VKS_OK;
    if (!find_picture(path))
        return fail(m, VKS_INVALID_ARGUMENT, "%s: the name of a picture must end in .png, .svg or .pdf",
                    path);
    FILE *nothing = NULL;
    vks_status status = file_check(m, path);
    IF_OK(status, open_temporary(m, &nothing));
    IF_OK(status, run(m, "--version", (FILE *[]){nothing, nothing, nothing}));
    close_temporary(nothing);
    return status;
}

vks_status gnuplot_open(struct message *m, const char *path, double width, double height, double font,
                        struct gnuplot *g)
{
    *g = (struct gnuplot){.path = path};
    TRY(open_temporary(m, &g->script));
    const struct picture *p = find_picture(path);
    fprintf(
        g->script,
        "set encoding utf8\n"
        "set terminal %s noenhanced background 'white' linewidth %.3g font 'Sans,%.0f' size %.6g%s,%.6g%s\n",
        p->terminal, font / 12, font, width / p->pixels, p->unit, height / p->pixels, p->unit);
    return VKS_OK;
}

/* Puts the text between single quotes; the single quote itself and the characters in `twice` are doubled. */
static void put_text(struct gnuplot *g, const char *text, const char *twice)
{
    fputc('\'', g->script);
    for (const unsigned char *s = (const unsigned char *)text; *s;) {
        size_t length = utf8_length(s);
        if (!length || *s < ' ' || *s == 0x7F)
            fputc('?', g->script);
        else if (strchr(twice, *s))
            fprintf(g->script, "%c%c", *s, *s);
        else
            fwrite(s, 1, length, g->script);
        s += length ? length : 1;
    }
    fputc('\'', g->script);
}

void gnuplot_text(struct gnuplot *g, const char *text)
{
    put_text(g, text, "'");
}

void gnuplot_tick(struct gnuplot *g, const char *text)
{
    put_text(g, text, "'%");
}

/* Whether the picture is complete; gnuplot does not always detect a full disk. */
static bool is_whole(FILE *drawn, const struct picture *p)
{
    char tail[16];
    size_t end = strlen(p->end);
    if (fseek(drawn, 0, SEEK_END))
        return false;
    long size = ftell(drawn);
    long from = size > (long)sizeof tail ? size - (long)sizeof tail : 0;
    if (fseek(drawn, from, SEEK_SET))
        return false;
    size_t length = fread(tail, 1, sizeof tail, drawn);
    for (size_t at = 0; at + end <= length; at++)
        if (!memcmp(tail + at, p->end, end))
            return true;
    return false;
}

static vks_status copy(struct message *m, FILE *drawn, const char *path)
{
    char bytes[1 << 14];
    struct output o;
    vks_status status = output_open(m, path, &o);
    if (status)
        return status;
    rewind(drawn);
    for (size_t size; !status && (size = fread(bytes, 1, sizeof bytes, drawn));)
        status = output_write(m, &o, bytes, size);
    if (!status && ferror(drawn))
        status = fail(m, VKS_FILE, "%s: gnuplot's picture cannot be read: %s", path, strerror(errno));
    return output_close(m, &o, status);
}

vks_status gnuplot_close(struct message *m, struct gnuplot *g, vks_status status)
{
    FILE *drawn = NULL, *errors = NULL;
    if (!status && (fflush(g->script) || ferror(g->script) || lseek(fileno(g->script), 0, SEEK_SET)))
        status = fail(m, VKS_FILE, "the temporary file for gnuplot cannot be written: %s", strerror(errno));
    IF_OK(status, open_temporary(m, &drawn));
    IF_OK(status, open_temporary(m, &errors));
    IF_OK(status, run(m, "--default-settings", (FILE *[]){g->script, drawn, errors}));
    if (!status && !is_whole(drawn, find_picture(g->path)))
        status = fail(m, VKS_FILE, "%s: gnuplot has not drawn a whole picture", g->path);
    IF_OK(status, copy(m, drawn, g->path));
    close_temporary(drawn);
    close_temporary(errors);
    close_temporary(g->script);
    *g = (struct gnuplot){0};
    return status;
}
