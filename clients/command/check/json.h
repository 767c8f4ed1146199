#ifndef VKS_COMMAND_CHECK_JSON_H
#define VKS_COMMAND_CHECK_JSON_H

#include "command/check/diagnosis.h"

void check_to_json(const struct diagnosis *x, struct json *j);

#endif
