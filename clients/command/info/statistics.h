/* Statistics of a matrix and the formats that they suggest, for `vksolve info`. */
#ifndef VKS_COMMAND_INFO_STATISTICS_H
#define VKS_COMMAND_INFO_STATISTICS_H

#include "entries/host_csr.h"
#include "report/json.h"
#include "report/message.h"
#include "sparse/choose.h"
#include "vksolve/statistics.h"

struct info_statistics {
    vks_statistics s;
    struct choice host, gpu; /* of auto, in f64 */
};

/* Computes the statistics on a device (NULL: the host). */
vks_status info_statistics(struct message *m, const char *device, const struct host_csr *a,
                           struct info_statistics *out);

void info_statistics_print(const struct info_statistics *x);
/* Writes members of the open object. */
void info_statistics_json(const struct info_statistics *x, struct json *j);

#endif
