/* The number of cores that the machine grants this process. */
#ifndef VKS_TEAM_CORES_H
#define VKS_TEAM_CORES_H

#include <stdbool.h>
#include <stdint.h>

enum { CORES_MOST = 1024 };

/* The number from its affinity and the quotas of its control groups; at least 1. */
uint32_t cores_granted(void);

/* Reads a number of threads as in OMP_NUM_THREADS ("4", "4,2"). 0: invalid, or beyond CORES_MOST. */
uint32_t cores_from_text(const char *text);

/* The size of a team for the requested `threads`; 0: OMP_NUM_THREADS, else the cores granted. */
uint32_t cores_for(uint32_t threads);

/* The cores of a quota, rounded up; 0: no quota. `max` is the text of cpu.max ("150000 100000"). */
uint32_t cores_of_quota(long long quota, long long period);
uint32_t cores_of_cpu_max(const char *max);

/* The path of this process in a cgroup hierarchy, from the text of /proc/self/cgroup: "cpu" selects the cpu
 * controller's hierarchy, "" the unified one. False: the process is in none. */
bool cores_group_path(const char *cgroup, const char *controller, char *path, uint32_t size);

#endif
