#define _GNU_SOURCE /* sched_getaffinity */
#include "team/cores.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

uint32_t cores_from_text(const char *text)
{
    char *end;
    if (!text)
        return 0;
    long n = strtol(text, &end, 10);
    bool sane = end != text && (!*end || *end == ',' || *end == ' ') && n >= 1 && n <= CORES_MOST;
    return sane ? (uint32_t)n : 0;
}

uint32_t cores_of_quota(long long quota, long long period)
{
    if (quota <= 0 || period <= 0)
        return 0;
    long long cores = quota / period + (quota % period != 0);
    return cores < CORES_MOST ? (uint32_t)cores : CORES_MOST;
}

uint32_t cores_of_cpu_max(const char *max)
{
    long long quota, period;
    return sscanf(max, "%lld %lld", &quota, &period) == 2 ? cores_of_quota(quota, period) : 0;
}

/* Whether a comma-separated list has this word. */
static bool has_word(const char *list, size_t length, const char *word)
{
    size_t want = strlen(word);
    for (const char *end = list + length; list <= end;) {
        const char *comma = memchr(list, ',', (size_t)(end - list));
        size_t have = (size_t)((comma ? comma : end) - list);
        if (have == want && !memcmp(list, word, want))
            return true;
        list += have + 1;
    }
    return false;
}

/* Finds the path in lines "number:controllers:path". */
bool cores_group_path(const char *cgroup, const char *controller, char *path, uint32_t size)
{
    for (const char *line = cgroup; *line;) {
        size_t length = strcspn(line, "\n");
        const char *first = memchr(line, ':', length);
        const char *second = first ? memchr(first + 1, ':', length - (size_t)(first + 1 - line)) : NULL;
        if (second && has_word(first + 1, (size_t)(second - first - 1), controller)) {
            int bytes = (int)(length - (size_t)(second + 1 - line));
            return snprintf(path, size, "%.*s", bytes, second + 1) < (int)size;
        }
        line += length + (line[length] == '\n');
    }
    return false;
}

/* Reads the beginning of a file as text; false if it cannot be read. */
static bool read_text(const char *path, char *text, size_t size)
{
    FILE *f = fopen(path, "re");
    if (!f)
        return false;
    size_t length = fread(text, 1, size - 1, f);
    text[length] = 0;
    fclose(f);
    return length > 0;
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a && (!b || a < b) ? a : b;
}

/* The quota of one folder of a hierarchy; 0: none. */
static uint32_t quota_in(const char *root, const char *path, bool unified)
{
    char file[4400], text[64];
    if (unified) {
        snprintf(file, sizeof file, "%s%s/cpu.max", root, path);
        return read_text(file, text, sizeof text) ? cores_of_cpu_max(text) : 0;
    }
    snprintf(file, sizeof file, "%s%s/cpu.cfs_quota_us", root, path);
    long long quota = read_text(file, text, sizeof text) ? atoll(text) : 0;
    snprintf(file, sizeof file, "%s%s/cpu.cfs_period_us", root, path);
    return quota > 0 && read_text(file, text, sizeof text) ? cores_of_quota(quota, atoll(text)) : 0;
}

/* The least quota from a group up to the root. In a container the path may be the host's; then the root's
 * quota applies. */
static uint32_t quota_above(const char *root, char *path, bool unified)
{
    uint32_t cores = 0;
    for (char *slash; (slash = strrchr(path, '/')); *slash = 0)
        cores = least(cores, quota_in(root, path, unified));
    return least(cores, quota_in(root, "", unified));
}

static uint32_t quota(void)
{
    static const char *const roots[] = {"/sys/fs/cgroup/cpu", "/sys/fs/cgroup/cpu,cpuacct"};
    char cgroup[4096], path[4096];
    uint32_t cores = 0;
    if (!read_text("/proc/self/cgroup", cgroup, sizeof cgroup))
        return 0;
    if (cores_group_path(cgroup, "", path, sizeof path))
        cores = quota_above("/sys/fs/cgroup", path, true);
    for (size_t i = 0; i < sizeof roots / sizeof *roots; i++)
        if (cores_group_path(cgroup, "cpu", path, sizeof path))
            cores = least(cores, quota_above(roots[i], path, false));
    return cores;
}

/* The processors of the affinity mask. A set of fixed size covers 1,024; on larger machines the call fails,
 * and all are counted. */
static uint32_t allowed(void)
{
    cpu_set_t set;
    if (!sched_getaffinity(0, sizeof set, &set))
        return (uint32_t)CPU_COUNT(&set);
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > CORES_MOST ? CORES_MOST : online > 0 ? (uint32_t)online : 1;
}

uint32_t cores_granted(void)
{
    uint32_t cores = least(quota(), allowed());
    return cores ? cores : 1;
}

uint32_t cores_for(uint32_t threads)
{
    uint32_t n = threads ? threads : cores_from_text(getenv("OMP_NUM_THREADS"));
    n = n ? n : cores_granted();
    return n < CORES_MOST ? n : CORES_MOST;
}
