/* What memory the process may still take. Linux overcommits: what an allocation grants may not be there when
 * it is written to, and the process is then killed. So large needs are compared with it first. */
#ifndef VKS_REPORT_MEMORY_H
#define VKS_REPORT_MEMORY_H

#include "report/message.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The least, in bytes, of what the machine has (MemAvailable and free swap), of what the memory cgroups leave
 * (version 1 or 2, all levels, without file pages that can be dropped), and of what RLIMIT_AS leaves.
 * UINT64_MAX: nothing is known. */
uint64_t memory_left(void);

/* The part of it that RLIMIT_AS leaves, in bytes. UINT64_MAX: there is no limit. */
uint64_t memory_of_address_space(void);

/* VKS_OUT_OF_MEMORY where `bytes` for `what` of `name`, say a file, are more than is left. Needs below 16 MiB
 * are not looked at. */
vks_status memory_check(struct message *m, const char *name, const char *what, uint64_t bytes);

/* Tells of such a need, or of one that an allocation could not meet: is VKS_OUT_OF_MEMORY. */
vks_status memory_lacks(struct message *m, const char *name, const char *what, uint64_t bytes);

/* The parts of memory_left, for tests. The number behind `name`, which begins a line; UINT64_MAX: none. */
uint64_t memory_field(const char *text, const char *name);
/* Of /proc/meminfo. */
uint64_t memory_of_machine(const char *meminfo);
/* Of a cgroup's limit ("max" or bytes), usage and memory.stat; those that are missing are "". */
uint64_t memory_of_group(const char *limit, const char *usage, const char *stat);
/* The path of the memory cgroup in /proc/self/cgroup, and its version, 1 or 2; 0: there is none. */
int memory_group_path(const char *cgroups, char *path, size_t room);

#endif
