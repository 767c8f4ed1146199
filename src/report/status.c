#include "vksolve/status.h"
#include "report/names.h"

static const struct {
    const char *name, *text;
} statuses[] = {
#define X(name, text) {#name, text},
    VKS_STATUSES(X)
#undef X
};

static const struct {
    const char *name, *text;
    int exit_code;
} reasons[] = {
#define X(name, code, text) {#name, text, code},
    VKS_REASONS(X)
#undef X
};

NAME_OF(vks_status_name, vks_status, status, statuses, name)
NAME_OF(vks_status_text, vks_status, status, statuses, text)

NAME_OF(vks_reason_name, vks_reason, reason, reasons, name)
NAME_OF(vks_reason_text, vks_reason, reason, reasons, text)

int vks_reason_exit_code(vks_reason reason)
{
    return (unsigned)reason < VKS_REASON_COUNT_ ? reasons[reason].exit_code : 3;
}
