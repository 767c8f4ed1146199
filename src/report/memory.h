/* The memory that the process can still use. Linux overcommits: granted memory may not exist when it is first
 * written, and the process is then killed. So large requests are checked first. */
#ifndef VKS_REPORT_MEMORY_H
#define VKS_REPORT_MEMORY_H

#include "report/message.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The smallest, in bytes, of the machine's available memory (MemAvailable and free swap) and of the memory
 * that cgroups (version 1 or 2, all levels, without droppable file pages) and RLIMIT_AS leave. UINT64_MAX if
 * unknown. */
uint64_t memory_left(void);

/* The bytes that RLIMIT_AS leaves. UINT64_MAX: no limit. */
uint64_t memory_of_address_space(void);

/* VKS_OUT_OF_MEMORY if `bytes` for `what` of `name`, such as a file, exceed the memory left. Requests below
 * 16 MiB are not checked. */
vks_status memory_check(struct message *m, const char *name, const char *what, uint64_t bytes);

/* Reports a request that exceeds it or whose allocation failed; returns VKS_OUT_OF_MEMORY. */
vks_status memory_lacks(struct message *m, const char *name, const char *what, uint64_t bytes);

/* Parts of memory_left, for tests. The number after `name` at the start of a line; UINT64_MAX if absent. */
uint64_t memory_field(const char *text, const char *name);
/* The available memory, from the text of /proc/meminfo. */
uint64_t memory_of_machine(const char *meminfo);
/* The memory left by a cgroup, from its limit ("max" or bytes), usage and memory.stat; missing texts are "".
 */
uint64_t memory_of_group(const char *limit, const char *usage, const char *stat);
/* The path of the memory cgroup in /proc/self/cgroup; returns its version, 1 or 2, or 0 without one. */
int memory_group_path(const char *cgroups, char *path, size_t room);

#endif
