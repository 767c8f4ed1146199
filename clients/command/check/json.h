#ifndef VKS_COMMAND_CHECK_JSON_H
#define VKS_COMMAND_CHECK_JSON_H

#include "command/check/judgement.h"

void check_to_json(const struct judgement *x, struct json *j);

#endif
