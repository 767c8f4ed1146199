#include "petsc/log.h"

static uint64_t crossed[PLUGIN_CROSSING_COUNT], counted[PLUGIN_EVENT_COUNT];
static PetscLogEvent events[PLUGIN_EVENT_COUNT];
static PetscLogStage stages[PLUGIN_STAGE_COUNT];

PetscErrorCode plugin_log_register(void)
{
#define X(NAME, name, words) name,
    static const char *const names[] = {PLUGIN_EVENTS(X)};
#undef X
#define X(NAME, name) name,
    static const char *const stage_names[] = {PLUGIN_STAGES(X)};
#undef X
    PetscClassId id;
    PetscFunctionBegin;
    PetscCall(PetscClassIdRegister("vksolve", &id));
    for (int e = 0; e < PLUGIN_EVENT_COUNT; e++)
        PetscCall(PetscLogEventRegister(names[e], id, &events[e]));
    for (int s = 0; s < PLUGIN_STAGE_COUNT; s++)
        PetscCall(PetscLogStageRegister(stage_names[s], &stages[s]));
    PetscFunctionReturn(0);
}

void plugin_crossed(enum plugin_crossing what, size_t bytes)
{
    crossed[what] += bytes;
}

PetscErrorCode plugin_begin(enum plugin_event event)
{
    PetscFunctionBegin;
    counted[event]++;
    PetscCall(PetscLogEventBegin(events[event], 0, 0, 0, 0));
    PetscFunctionReturn(0);
}

PetscErrorCode plugin_end(enum plugin_event event)
{
    PetscFunctionBegin;
    PetscCall(PetscLogEventEnd(events[event], 0, 0, 0, 0));
    PetscFunctionReturn(0);
}

PetscErrorCode plugin_enter(enum plugin_stage stage)
{
    PetscFunctionBegin;
    PetscCall(PetscLogStagePush(stages[stage]));
    PetscFunctionReturn(0);
}

PetscErrorCode plugin_leave(void)
{
    PetscFunctionBegin;
    PetscCall(PetscLogStagePop());
    PetscFunctionReturn(0);
}

/* Each rank prints its own line, because some may not have opened a device. */
PetscErrorCode plugin_view(void)
{
#define X(NAME, words) words,
    static const char *const crossings[] = {PLUGIN_CROSSINGS(X)};
#undef X
#define X(NAME, name, words) words,
    static const char *const events_words[] = {PLUGIN_EVENTS(X)};
#undef X
    char line[1024];
    size_t used = 0;
    vks_device_info device;
    PetscMPIInt rank;
    PetscFunctionBegin;
    PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
    PetscCallVks(vks_context_device(plugin_context, &device));
    PetscCall(PetscSNPrintfCount(line, sizeof line, "[vksolve %d] %s", &used, rank, device.name));
    used--; /* the count includes the terminating null */
    for (int e = PLUGIN_EVENT_PRODUCT; e < PLUGIN_EVENT_COUNT; e++) {
        size_t more;
        PetscCall(PetscSNPrintfCount(line + used, sizeof line - used, "; %s %llu", &more, events_words[e],
                                     (unsigned long long)counted[e]));
        used += more - 1;
    }
    for (int c = 0; c < PLUGIN_CROSSING_COUNT; c++) {
        size_t more;
        PetscCall(PetscSNPrintfCount(line + used, sizeof line - used, "; %s %llu B", &more, crossings[c],
                                     (unsigned long long)crossed[c]));
        used += more - 1;
    }
    PetscCall(PetscPrintf(PETSC_COMM_SELF, "%s\n", line));
    PetscFunctionReturn(0);
}
