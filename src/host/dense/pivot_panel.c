#include "host/dense/pivot_panel.h"

KERNEL(pivot_panel)
{
    eliminate_panel(a, me);
}
