#include "cunicode.h"
#include "utf16.h"

#include <unicode/uchar.h>
#include <unicode/unorm2.h>
#include <unicode/utf16.h>

int32_t cunicode_nfc(const char *text, int32_t length, char *out, int32_t capacity) {
    UErrorCode status = U_ZERO_ERROR;
    const UNormalizer2 *nfc = unorm2_getNFCInstance(&status);
    utf16_buffer source, target;
    if (U_FAILURE(status) || !utf16_read(&source, text, length)) return -1;
    utf16_init(&target);
    int32_t result = utf16_normalize(nfc, &source, &target) ? utf8_write(target.units, target.length, out, capacity) : -1;
    utf16_free(&target);
    utf16_free(&source);
    return result;
}

/// An accent is a mark that sits on a letter of the Latin, Greek, Cyrillic, Hebrew, or Arabic kind: an overlay (class
/// 1), a point (10 to 36), or something above, below, or attached (200 and more). The classes between hold nuktas, kana
/// voicing marks, viramas, and vowel signs, which are part of the letter or letters themselves (UAX #44, table 15).
static int is_accent(UChar32 scalar) {
    uint8_t class = u_getCombiningClass(scalar);
    return class == 1 || (class >= 10 && class <= 36) || class >= 200;
}

enum { short_i = 0x0439, largest_decomposition = 32 };

/// Appends the letter without its accents to `target`.
static int append_stripped(const UNormalizer2 *form, UChar32 scalar, utf16_buffer *target) {
    UChar parts[largest_decomposition];
    UErrorCode status = U_ZERO_ERROR;
    int32_t count = -1;
    // й is a letter of its own. It is whole here, however it was written: the text is composed.
    if (scalar != short_i) {
        count = unorm2_getDecomposition(form, scalar, parts, largest_decomposition, &status);
        if (U_FAILURE(status)) return 0;
    }
    if (count < 0) {
        count = 0;
        U16_APPEND_UNSAFE(parts, count, scalar);
    }
    if (target->length + count > target->capacity && !utf16_reserve(target, 2 * (target->length + count), 1)) return 0;
    for (int32_t at = 0; at < count;) {
        UChar32 part;
        U16_NEXT(parts, at, count, part);
        if (!is_accent(part)) U16_APPEND_UNSAFE(target->units, target->length, part);
    }
    return 1;
}

static int strip(const utf16_buffer *source, utf16_buffer *target) {
    UErrorCode status = U_ZERO_ERROR;
    const UNormalizer2 *form = unorm2_getNFDInstance(&status);
    if (U_FAILURE(status)) return 0;
    target->length = 0;
    for (int32_t at = 0; at < source->length;) {
        UChar32 scalar;
        U16_NEXT(source->units, at, source->length, scalar);
        if (!append_stripped(form, scalar, target)) return 0;
    }
    return 1;
}

int32_t cunicode_fold(const char *text, int32_t length, char *out, int32_t capacity) {
    UErrorCode status = U_ZERO_ERROR;
    const UNormalizer2 *fold = unorm2_getNFKCCasefoldInstance(&status);
    const UNormalizer2 *nfc = unorm2_getNFCInstance(&status);
    utf16_buffer first, second;
    if (U_FAILURE(status) || !utf16_read(&first, text, length)) return -1;
    utf16_init(&second);
    int32_t result = -1;
    if (utf16_normalize(fold, &first, &second) && strip(&second, &first) && utf16_normalize(nfc, &first, &second)) {
        result = utf8_write(second.units, second.length, out, capacity);
    }
    utf16_free(&second);
    utf16_free(&first);
    return result;
}

int32_t cunicode_is_wide(uint32_t scalar) {
    int32_t width = u_getIntPropertyValue((UChar32)scalar, UCHAR_EAST_ASIAN_WIDTH);
    return width == U_EA_WIDE || width == U_EA_FULLWIDTH;
}
