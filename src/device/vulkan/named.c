/* Identification of a Vulkan device by UUID, PCI address, name or part of a name. */
#include "device/vulkan/profile.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static bool contains(const char *text, const char *part)
{
    size_t length = strlen(part);
    for (; *text; text++)
        if (!strncasecmp(text, part, length))
            return true;
    return false;
}

enum { UUID_DIGITS = 32, FEWEST_DIGITS = 4 };

/* Extracts the hexadecimal digits, without hyphens and in lower case; false if there is any other character
 * or too many digits. */
static bool uuid_digits(const char *text, char digits[UUID_DIGITS + 1])
{
    size_t used = 0;
    for (; *text; text++) {
        if (*text == '-')
            continue;
        if (!isxdigit((unsigned char)*text) || used == UUID_DIGITS)
            return false;
        digits[used++] = (char)tolower((unsigned char)*text);
    }
    digits[used] = 0;
    return true;
}

/* "GPU-" and at least the first few digits, as nvidia-smi writes them; or all digits. */
static bool is_uuid(const char *name, const char *uuid)
{
    char given[UUID_DIGITS + 1], own[UUID_DIGITS + 1];
    bool marked = !strncasecmp(name, "GPU-", 4);
    if (!uuid[0] || !uuid_digits(marked ? name + 4 : name, given) || !uuid_digits(uuid, own))
        return false;
    size_t count = strlen(given);
    return (marked ? count >= FEWEST_DIGITS : count == UUID_DIGITS) && !strncmp(given, own, count);
}

struct address {
    unsigned domain, bus, device, function;
    bool any_domain;
};

/* "0000:65:00.0", "00000000:65:00.0" or "65:00.0" */
static bool read_address(const char *text, struct address *a)
{
    int end = 0;
    *a = (struct address){0};
    if (text[strspn(text, "0123456789abcdefABCDEF:.")] || !isxdigit((unsigned char)text[0]))
        return false;
    if (sscanf(text, "%8x:%2x:%2x.%1x%n", &a->domain, &a->bus, &a->device, &a->function, &end) == 4 &&
        !text[end])
        return true;
    a->any_domain = true;
    return sscanf(text, "%2x:%2x.%1x%n", &a->bus, &a->device, &a->function, &end) == 3 && !text[end];
}

static bool is_at(const char *name, const char *pci)
{
    struct address given, own;
    return read_address(name, &given) && read_address(pci, &own) && given.bus == own.bus &&
           given.device == own.device && given.function == own.function &&
           (given.any_domain || given.domain == own.domain);
}

/* Whether the text may be part of a device's name: not only blanks, nor one or two digits, which can only be
 * an index. */
static bool is_part(const char *text)
{
    size_t digits = strspn(text, "0123456789");
    return text[strspn(text, " ")] && (text[digits] || digits > 2);
}

enum vulkan_fit vulkan_fits(const struct device_info *d, const char *name)
{
    if (is_uuid(name, d->uuid))
        return FITS_UUID;
    if (is_at(name, d->pci))
        return FITS_ADDRESS;
    if (!strcasecmp(d->name, name))
        return FITS_NAME;
    return is_part(name) && contains(d->name, name) ? FITS_PART : FITS_NOT;
}

bool vulkan_distinguishes(const struct device_info *a, const struct device_info *b)
{
    return strcmp(a->uuid, b->uuid) != 0 || strcmp(a->pci, b->pci) != 0;
}
