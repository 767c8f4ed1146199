/* Whether the deciding norms meet the tolerance, or are at rounding level. */
#include "solvers/iterate/iterate.h"

#include <math.h>

/* Share by which the rounding errors of a norm may exceed its goal. */
static const double above_goal = 0.03;
/* Rounding errors of a projection, relative to the removed part: of its sums, and of the subtraction. */
static const double error_of_projection = 0x1p-48;
/* A zero residual is trusted for any tolerance if its rounding errors are below this share of b. */
static const double believed = 0x1p-60;

/* Whether a norm meets the tolerance, in units of the plain one, despite rounding errors of up to `error`. */
static bool is_below(const struct column *c, double norm, double error)
{
    bool is_zero = norm == 0 && (c->b_norm == 0 || error <= believed * c->b_norm);
    return norm <= c->target && (!c->assessed || norm + error <= c->target * (1 + above_goal) || is_zero);
}

static bool asks_plain(const struct column *c)
{
    const struct iteration *it = c->it;
    return it->options->norm != VKS_NORM_SCALED || isnan(c->scaled_b);
}

bool column_meets_plain(const struct column *c)
{
    const struct iteration *it = c->it;
    double part = it->residual.projection ? residual_part_of_b(&it->residual) : 0,
           error = c->assessment.error * c->assessment.magnitude + c->assessment.underflow +
                   error_of_projection * part;
    return !asks_plain(c) || is_below(c, hypot(c->norm, c->part), error);
}

bool column_meets_scaled(const struct column *c)
{
    double error = c->assessment.error * c->assessment.scaled + c->assessment.scaled_underflow;
    return isnan(c->scaled_b) || is_below(c, in_plain_units(c, c->scaled), in_plain_units(c, error));
}

bool is_hidden_by_rounding(const struct column *c)
{
    bool plain = asks_plain(c) && c->norm <= c->target && !column_meets_plain(c) && !(c->part > 0),
         scaled = !isnan(c->scaled_b) && in_plain_units(c, c->scaled) <= c->target && !column_meets_scaled(c);
    return c->assessed && (plain || scaled);
}

bool meets_one_of_two(const struct column *c)
{
    const struct iteration *it = c->it;
    bool two = it->options->norm == VKS_NORM_BOTH && !isnan(c->scaled_b) && !(c->part > c->target);
    return two && column_meets_plain(c) != column_meets_scaled(c);
}

bool column_meets_plain_alone(const struct column *c)
{
    return meets_one_of_two(c) && column_meets_plain(c);
}

bool column_x_hides_target(const struct column *c)
{
    const struct assessment *a = &c->assessment;
    return c->assessed && ((asks_plain(c) && a->unit * a->magnitude > c->target) ||
                           (!isnan(c->scaled_b) && in_plain_units(c, a->unit * a->scaled) > c->target));
}

bool column_is_at_rounding(const struct column *c)
{
    const struct assessment *a = &c->assessment;
    bool plain = column_meets_plain(c), scaled = column_meets_scaled(c);
    if (!c->assessed || (plain && scaled))
        return false;
    return (plain || hypot(c->norm, c->part) <= a->unit * a->magnitude) &&
           (scaled || c->scaled <= a->unit * a->scaled);
}
