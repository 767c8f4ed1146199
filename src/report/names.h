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

/* Defines const char *function(type value): the member of the value's row, or "?" if there is none. `value`
 * must have the prototype's parameter name. */
#define NAME_OF(function, type, value, table, member)                                             \
    const char *function(type value)                                                              \
    {                                                                                             \
        return (unsigned)(value) < sizeof(table) / sizeof *(table) ? (table)[value].member : "?"; \
    }

#endif
