/* Whether the deciding norms meet the tolerance, or are at rounding level. */
#include "solvers/iterate/iterate.h"

#include <math.h>

/* Share by which the rounding errors of a norm may exceed its goal. */
static const double above_goal = 0.03;
/* Rounding errors of a projection, relative to the removed part: of its sums, and of the subtraction. */
static const double error_of_projection = 0x1p-48;
/* Trusts a zero residual if its rounding errors are below this share of b: any tolerance may be smaller. */
static const double believed = 0x1p-60;

/* Whether a norm meets the tolerance, in units of the plain one, despite rounding errors of up to `error`. */
static bool is_below(const struct progress *p, double norm, double error)
{
    bool is_zero = norm == 0 && (p->b_norm == 0 || error <= believed * p->b_norm);
    return norm <= p->target && (!p->assessed || norm + error <= p->target * (1 + above_goal) || is_zero);
}

static bool asks_plain(const struct iteration *it)
{
    return it->options->norm != VKS_NORM_SCALED || isnan(it->progress.scaled_b);
}

bool iteration_meets_plain(const struct iteration *it)
{
    const struct progress *p = &it->progress;
    double part = it->residual.projection ? residual_part_of_b(&it->residual) : 0,
           error = p->assessment.error * p->assessment.magnitude + p->assessment.underflow +
                   error_of_projection * part;
    return !asks_plain(it) || is_below(p, hypot(p->norm, p->part), error);
}

bool iteration_meets_scaled(const struct iteration *it)
{
    const struct progress *p = &it->progress;
    double error = p->assessment.error * p->assessment.scaled + p->assessment.scaled_underflow;
    return isnan(p->scaled_b) || is_below(p, in_plain_units(p, p->scaled), in_plain_units(p, error));
}

bool is_hidden_by_rounding(const struct iteration *it)
{
    const struct progress *p = &it->progress;
    bool plain = asks_plain(it) && p->norm <= p->target && !iteration_meets_plain(it) && !(p->part > 0),
         scaled =
             !isnan(p->scaled_b) && in_plain_units(p, p->scaled) <= p->target && !iteration_meets_scaled(it);
    return p->assessed && (plain || scaled);
}

bool meets_one_of_two(const struct iteration *it)
{
    const struct progress *p = &it->progress;
    bool two = it->options->norm == VKS_NORM_BOTH && !isnan(p->scaled_b) && !(p->part > p->target);
    return two && iteration_meets_plain(it) != iteration_meets_scaled(it);
}

bool iteration_meets_plain_alone(const struct iteration *it)
{
    return meets_one_of_two(it) && iteration_meets_plain(it);
}

bool iteration_x_hides_target(const struct iteration *it)
{
    const struct progress *p = &it->progress;
    const struct assessment *a = &p->assessment;
    return p->assessed && ((asks_plain(it) && a->unit * a->magnitude > p->target) ||
                           (!isnan(p->scaled_b) && in_plain_units(p, a->unit * a->scaled) > p->target));
}

bool iteration_is_at_rounding(const struct iteration *it)
{
    const struct progress *p = &it->progress;
    const struct assessment *a = &p->assessment;
    bool plain = iteration_meets_plain(it), scaled = iteration_meets_scaled(it);
    if (!p->assessed || (plain && scaled))
        return false;
    return (plain || hypot(p->norm, p->part) <= a->unit * a->magnitude) &&
           (scaled || p->scaled <= a->unit * a->scaled);
}
