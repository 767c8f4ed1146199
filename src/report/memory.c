#include "report/memory.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { TEXT_ROOM = 8192, PATH_ROOM = 1024, UNCHECKED = 16 << 20 };
static const uint64_t unknown = UINT64_MAX;

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* a - b, or 0 if negative */
static uint64_t less(uint64_t a, uint64_t b)
{
    return a > b ? a - b : 0;
}

static uint64_t parse(const char *text)
{
    char *end;
    unsigned long long value = strtoull(text, &end, 10);
    return end == text ? unknown : value;
}

uint64_t memory_field(const char *text, const char *name)
{
    size_t length = strlen(name);
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (!strncmp(line, name, length) && (line[length] == ' ' || line[length] == '\t'))
            return parse(line + length);
    }
    return unknown;
}

uint64_t memory_of_machine(const char *meminfo)
{
    enum { KIB = 1024 };
    uint64_t available = memory_field(meminfo, "MemAvailable:"), swap = memory_field(meminfo, "SwapFree:");
    return available == unknown ? unknown : KIB * (available + (swap == unknown ? 0 : swap));
}

/* A field of memory.stat, including child groups if reported; 0 if unknown. */
static uint64_t file_pages(const char *stat, const char *name, const char *of_all)
{
    uint64_t bytes = memory_field(stat, of_all);
    if (bytes == unknown)
        bytes = memory_field(stat, name);
    return bytes == unknown ? 0 : bytes;
}

uint64_t memory_of_group(const char *limit, const char *usage, const char *stat)
{
    uint64_t most = parse(limit), used = parse(usage);
    if (most == unknown || used == unknown)
        return unknown;
    used = less(used, file_pages(stat, "inactive_file", "total_inactive_file"));
    return less(most, less(used, file_pages(stat, "active_file", "total_active_file")));
}

int memory_group_path(const char *cgroups, char *path, size_t room)
{
    int version = 0;
    for (const char *line = cgroups; line && *line; line = strchr(line, '\n')) {
        line += *line == '\n';
        const char *names = strchr(line, ':'), *begin = names ? strchr(names + 1, ':') : NULL;
        if (!begin)
            break;
        bool first = begin - names == sizeof ":memory" - 1 && !strncmp(names, ":memory", 7);
        bool second = !strncmp(line, "0::", 3);
        size_t length = strcspn(begin + 1, "\n");
        if (length >= room || !(first || (second && !version)))
            continue;
        memcpy(path, begin + 1, length);
        path[length] = 0;
        version = first ? 1 : 2;
    }
    return version;
}

/* Reads a file that reports no size; "" if it cannot be read. */
static void read_text(const char *path, char text[TEXT_ROOM])
{
    size_t used = 0;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    for (ssize_t got = 1; fd >= 0 && got > 0 && used<TEXT_ROOM - 1; used += got> 0 ? (size_t)got : 0)
        got = read(fd, text + used, TEXT_ROOM - 1 - used);
    text[used] = 0;
    if (fd >= 0)
        close(fd);
}

static uint64_t read_group(const char *folder, const char *path, int version)
{
    static const char *const names[2][3] = {
        {"memory.limit_in_bytes", "memory.usage_in_bytes", "memory.stat"},
        {"memory.max", "memory.current", "memory.stat"},
    };
    char text[3][TEXT_ROOM], file[PATH_ROOM + 64];
    for (int i = 0; i < 3; i++) {
        snprintf(file, sizeof file, "%s%s/%s", folder, path, names[version - 1][i]);
        read_text(file, text[i]);
    }
    return memory_of_group(text[0], text[1], text[2]);
}

/* The memory that the memory cgroups of all levels leave; a container sees only some levels. */
static uint64_t read_groups(void)
{
    char text[TEXT_ROOM], path[PATH_ROOM];
    read_text("/proc/self/cgroup", text);
    int version = memory_group_path(text, path, sizeof path);
    uint64_t left = unknown;
    for (char *end = path + (version ? strlen(path) : 0); version;) {
        *end = 0;
        left =
            least(left, read_group(version == 1 ? "/sys/fs/cgroup/memory" : "/sys/fs/cgroup", path, version));
        char *slash = strrchr(path, '/');
        if (!slash)
            break;
        end = slash;
    }
    return left;
}

uint64_t memory_of_address_space(void)
{
    char text[TEXT_ROOM];
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) || limit.rlim_cur == RLIM_INFINITY)
        return unknown;
    read_text("/proc/self/statm", text);
    uint64_t pages = parse(text);
    long page = sysconf(_SC_PAGESIZE);
    return pages == unknown || page <= 0 ? unknown : less(limit.rlim_cur, pages * (uint64_t)page);
}

uint64_t memory_left(void)
{
    char text[TEXT_ROOM];
    read_text("/proc/meminfo", text);
    return least(memory_of_machine(text), least(memory_of_address_space(), read_groups()));
}

vks_status memory_lacks(struct message *m, const char *name, const char *what, uint64_t bytes)
{
    uint64_t left = memory_left();
    if (left == unknown)
        return fail(m, VKS_OUT_OF_MEMORY, "%s: out of host memory: %llu bytes for %s", name,
                    (unsigned long long)bytes, what);
    return fail(m, VKS_OUT_OF_MEMORY, "%s: out of host memory: %llu bytes for %s, and %llu are there", name,
                (unsigned long long)bytes, what, (unsigned long long)left);
}

vks_status memory_check(struct message *m, const char *name, const char *what, uint64_t bytes)
{
    return bytes < UNCHECKED || bytes <= memory_left() ? VKS_OK : memory_lacks(m, name, what, bytes);
}
