/* The names of the values of a public enum, from a table that an X list fills:
 *
 *   static const struct {
 *       const char *name, *text;
 *   } formats[] = {
 *   #define X(NAME, module, name, text) {name, text},
 *       VKS_FORMATS(X)
 *   #undef X
 *   };
 *   NAME_OF(vks_format_name, vks_format, format, formats, name)
 *   NAME_OF(vks_format_text, vks_format, format, formats, text) */
#ifndef VKS_REPORT_NAMES_H
#define VKS_REPORT_NAMES_H

/* Defines const char *function(type value): the member of the row of the value, "?" where there is no such
 * row. The value has the name that it has in the prototype. */
#define NAME_OF(function, type, value, table, member)                                             \
    const char *function(type value)                                                              \
    {                                                                                             \
        return (unsigned)(value) < sizeof(table) / sizeof *(table) ? (table)[value].member : "?"; \
    }

#endif
