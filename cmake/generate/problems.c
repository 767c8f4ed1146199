#include "problems.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void problem(struct problems *p, const char *format, ...)
{
    char line[1024];
    va_list list;
    va_start(list, format);
    int length = vsnprintf(line, sizeof line, format, list);
    va_end(list);
    if (length < 0)
        strcpy(line, format);

    for (size_t i = 0; i < p->count; i++)
        if (strcmp(p->line[i], line) == 0)
            return;

    p->line = resize(p->line, p->count + 1, sizeof *p->line);
    p->line[p->count] = strcpy(resize(NULL, strlen(line) + 1, 1), line);
    p->count++;
}

void problems_print(const struct problems *p)
{
    for (size_t i = 0; i < p->count; i++)
        fprintf(stderr, "%s\n", p->line[i]);
}

void problems_free(struct problems *p)
{
    for (size_t i = 0; i < p->count; i++)
        free(p->line[i]);
    free(p->line);
    *p = (struct problems){0};
}
