#include "vksolve/status.h"

static const char *const status_names[] = {
#define X(name, text) #name,
    VKS_STATUSES(X)
#undef X
};

static const char *const status_texts[] = {
#define X(name, text) text,
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

const char *vks_status_name(vks_status status)
{
    return (unsigned)status < VKS_STATUS_COUNT_ ? status_names[status] : "?";
}

const char *vks_status_text(vks_status status)
{
    return (unsigned)status < VKS_STATUS_COUNT_ ? status_texts[status] : "?";
}

const char *vks_reason_name(vks_reason reason)
{
    return (unsigned)reason < VKS_REASON_COUNT_ ? reasons[reason].name : "?";
}

const char *vks_reason_text(vks_reason reason)
{
    return (unsigned)reason < VKS_REASON_COUNT_ ? reasons[reason].text : "?";
}

int vks_reason_exit_code(vks_reason reason)
{
    return (unsigned)reason < VKS_REASON_COUNT_ ? reasons[reason].exit_code : 3;
}
