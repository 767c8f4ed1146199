/* malloc for the programs here (their own calls, not those of the library): it records the largest request,
 * and fails once, at a request of a given size or at the k-th request. */
#include <stddef.h>
#include <stdint.h>

size_t largest_request;
size_t failing_size = SIZE_MAX; /* the next request of as many bytes or more fails */
long until_failure = -1;        /* requests that succeed before one fails; negative: none fails */

void *__real_malloc(size_t bytes);
void *__wrap_malloc(size_t bytes);

void *__wrap_malloc(size_t bytes)
{
    if (bytes > largest_request)
        largest_request = bytes;
    if (bytes >= failing_size) {
        failing_size = SIZE_MAX;
        return NULL;
    }
    if (until_failure >= 0 && until_failure-- == 0)
        return NULL;
    return __real_malloc(bytes);
}
