#include "report/digits.h"

#include <stdio.h>
#include <stdlib.h>

struct digits_text digits_exact(double value)
{
    struct digits_text d;
    for (int precision = 15; precision <= 17; precision++) {
        snprintf(d.text, sizeof d.text, "%.*g", precision, value);
        if (strtod(d.text, NULL) == value)
            break;
    }
    return d;
}
