/* How many cores the machine grants this process. */
#ifndef VKS_TEAM_CORES_H
#define VKS_TEAM_CORES_H

#include <stdbool.h>
#include <stdint.h>

enum { CORES_MOST = 1024 };

/* By its affinity and the quotas of its control groups; at least 1. */
uint32_t cores_granted(void);

/* Reads a number of threads as OMP_NUM_THREADS has it ("4", "4,2"). 0: it is none, or beyond CORES_MOST. */
uint32_t cores_from_text(const char *text);

/* The threads of a team for which so many are asked; 0: OMP_NUM_THREADS, else the cores granted. */
uint32_t cores_for(uint32_t threads);

/* What a quota is worth, rounded up; 0: there is none. `max` is the text of cpu.max ("150000 100000"). */
uint32_t cores_of_quota(long long quota, long long period);
uint32_t cores_of_cpu_max(const char *max);

/* The path of this process in a hierarchy, from the text of /proc/self/cgroup: with "cpu" in that of the cpu
 * controller, with "" in the unified one. False: it is in none. */
bool cores_group_path(const char *cgroup, const char *controller, char *path, uint32_t size);

#endif
