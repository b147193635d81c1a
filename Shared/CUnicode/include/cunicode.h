// What the module Text needs of ICU, without a single ICU type: ICU's own headers clash with the copy
// inside Foundation when a Swift module sees both.
//
// Text goes in and out as UTF-8 with a length in bytes; no terminating zero is read or written.
// A function that writes returns the length of the whole result in bytes. When that is more than
// `capacity` the buffer's content is undefined and the caller tries again with enough room. A negative result means
// that ICU failed (no memory, or its data is missing) or that the text isn't UTF-8.
// Every function may be called from any thread; exceptions say so.

#ifndef CUNICODE_H
#define CUNICODE_H

#include <stdint.h>

#pragma clang assume_nonnull begin

/// Normalization form C (UAX #15).
int32_t cunicode_nfc(const char *text, int32_t length, char *out, int32_t capacity);

/// NFKC_Casefold (UAX #44), then accents stripped from every letter but й, recomposed to NFC.
int32_t cunicode_fold(const char *text, int32_t length, char *out, int32_t capacity);

/// Key of the root collation (UTS #10, CLDR root), with ICU's closing zero byte left out.
int32_t cunicode_sort_key(const char *text, int32_t length, uint8_t *out, int32_t capacity);

/// Versions of ICU and of the root collator, such as `72.1/153.120`.
int32_t cunicode_version(char *out, int32_t capacity);

/// Whether the code point is East Asian Wide or Fullwidth (UAX #11).
int32_t cunicode_is_wide(uint32_t scalar);

/// The rules of one time zone. One thread at a time may use it.
typedef struct cunicode_zone cunicode_zone;

/// Opens a zone by its IANA name (zero-terminated); NULL when ICU doesn't know the name.
cunicode_zone *_Nullable cunicode_zone_open(const char *name);
void cunicode_zone_close(cunicode_zone *zone);

/// Milliseconds to add to UTC at the instant `milliseconds` (since 1970 UTC); INT32_MIN on failure.
int32_t cunicode_zone_offset(cunicode_zone *zone, int64_t milliseconds);

/// Writes dates and times the way one locale does. One thread at a time may use it.
typedef struct cunicode_date_style cunicode_date_style;

/// Opens the style of a locale such as `zh_CN` (zero-terminated); an unknown locale gets ICU's root style.
cunicode_date_style *_Nullable cunicode_date_style_open(const char *locale);
void cunicode_date_style_close(cunicode_date_style *style);

/// Short date and medium time. `wall` is the wall clock as if it were UTC, in milliseconds since 1970; `days` is its
/// calendar day's distance from today (-1 is yesterday): a word replaces the date where the locale has one.
int32_t cunicode_date_style_format(
    cunicode_date_style *style, int64_t wall, int32_t days, char *out, int32_t capacity);

#pragma clang assume_nonnull end

#endif
