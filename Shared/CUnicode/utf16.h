// UTF-16 buffers between the UTF-8 of the callers and ICU; short text stays on the stack.

#ifndef CUNICODE_UTF16_H
#define CUNICODE_UTF16_H

#include <stdlib.h>
#include <unicode/unorm2.h>
#include <unicode/ustring.h>

#define SMALL_UNITS 256

typedef struct {
    UChar *units;
    int32_t length;
    int32_t capacity;
    UChar small[SMALL_UNITS];
} utf16_buffer;

static inline void utf16_init(utf16_buffer *buffer) {
    buffer->units = buffer->small;
    buffer->length = 0;
    buffer->capacity = SMALL_UNITS;
}

static inline void utf16_free(utf16_buffer *buffer) {
    if (buffer->units != buffer->small) free(buffer->units);
}

/// Makes room for `capacity` units in all and forgets the content when it has to move, unless `keep` is set.
static inline int utf16_reserve(utf16_buffer *buffer, int32_t capacity, int keep) {
    if (capacity <= buffer->capacity) return 1;
    UChar *units = malloc((size_t)capacity * sizeof(UChar));
    if (units == NULL) return 0;
    if (keep) u_memcpy(units, buffer->units, buffer->length);
    utf16_free(buffer);
    buffer->units = units;
    buffer->capacity = capacity;
    return 1;
}

/// Reads UTF-8. It never has more UTF-16 units than bytes, so one pass does.
static inline int utf16_read(utf16_buffer *buffer, const char *text, int32_t length) {
    utf16_init(buffer);
    if (!utf16_reserve(buffer, length, 0)) return 0;
    UErrorCode status = U_ZERO_ERROR;
    u_strFromUTF8(buffer->units, buffer->capacity, &buffer->length, text, length, &status);
    if (U_SUCCESS(status)) return 1;
    utf16_free(buffer);
    return 0;
}

/// Normalizes `source` into `target`, which must be initialised.
static inline int utf16_normalize(const UNormalizer2 *form, const utf16_buffer *source, utf16_buffer *target) {
    for (int attempt = 0; attempt < 2; attempt++) {
        UErrorCode status = U_ZERO_ERROR;
        target->length =
            unorm2_normalize(form, source->units, source->length, target->units, target->capacity, &status);
        if (U_SUCCESS(status)) return 1;
        if (status != U_BUFFER_OVERFLOW_ERROR || !utf16_reserve(target, target->length, 0)) return 0;
    }
    return 0;
}

/// Writes UTF-8 and returns its length, also when it is more than `capacity`.
static inline int32_t utf8_write(const UChar *units, int32_t count, char *out, int32_t capacity) {
    UErrorCode status = U_ZERO_ERROR;
    int32_t length = 0;
    u_strToUTF8(out, capacity, &length, units, count, &status);
    return U_SUCCESS(status) || status == U_BUFFER_OVERFLOW_ERROR ? length : -1;
}

#endif
