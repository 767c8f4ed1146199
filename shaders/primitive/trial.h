/* Output of trial.comp. Read by the kernel (GLSL), its twin and their caller (C). */
#ifndef VKS_PRIMITIVE_TRIAL_H
#define VKS_PRIMITIVE_TRIAL_H

#define TRIAL_CASES 64u /* of a fused multiply-add */
#define TRIAL_GROUPS 8u /* workgroups */

/* Words: */
#define TRIAL_PLACES \
    0u /* ME of each invocation, if its lane group exchanges registers correctly, else TRIAL_WRONG */
#define TRIAL_WRONG 0xFFFFFFFFu
#define TRIAL_BEGUN (256u * TRIAL_GROUPS)            /* workgroups that have begun */
#define TRIAL_CO_RESIDENT (256u * TRIAL_GROUPS + 1u) /* workgroups that have seen all others begin */
#define TRIAL_WORDS (256u * TRIAL_GROUPS + 2u)

#endif
