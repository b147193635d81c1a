#include "cunicode.h"
#include "utf16.h"

#include <string.h>
#include <unicode/ucal.h>
#include <unicode/udat.h>
#include <unicode/ureldatefmt.h>

enum { longest_name = 64, longest_date = 256 };

static const UChar unknown_zone[] = u"Etc/Unknown";

struct cunicode_zone {
    UCalendar *calendar;
};

cunicode_zone *cunicode_zone_open(const char *name) {
    UChar units[longest_name];
    int32_t length = 0;
    UErrorCode status = U_ZERO_ERROR;
    u_strFromUTF8(units, longest_name, &length, name, -1, &status);
    if (U_FAILURE(status) || length == 0) return NULL;

    // ucal_open takes an unknown name for GMT, so the name is looked up before.
    UChar canonical[longest_name];
    UBool known = 0;
    int32_t count = ucal_getCanonicalTimeZoneID(units, length, canonical, longest_name, &known, &status);
    if (U_FAILURE(status) || !known || u_strCompare(canonical, count, unknown_zone, -1, 0) == 0) return NULL;

    UCalendar *calendar = ucal_open(units, length, "root", UCAL_GREGORIAN, &status);
    cunicode_zone *zone = U_SUCCESS(status) ? malloc(sizeof *zone) : NULL;
    if (zone == NULL) {
        ucal_close(calendar);
        return NULL;
    }
    zone->calendar = calendar;
    return zone;
}

void cunicode_zone_close(cunicode_zone *zone) {
    ucal_close(zone->calendar);
    free(zone);
}

int32_t cunicode_zone_offset(cunicode_zone *zone, int64_t milliseconds) {
    UErrorCode status = U_ZERO_ERROR;
    ucal_setMillis(zone->calendar, (UDate)milliseconds, &status);
    int32_t offset = ucal_get(zone->calendar, UCAL_ZONE_OFFSET, &status);
    offset += ucal_get(zone->calendar, UCAL_DST_OFFSET, &status);
    return U_SUCCESS(status) ? offset : INT32_MIN;
}

struct cunicode_date_style {
    UDateFormat *date;
    UDateFormat *date_and_time;
    URelativeDateTimeFormatter *words;
};

cunicode_date_style *cunicode_date_style_open(const char *locale) {
    cunicode_date_style *style = malloc(sizeof *style);
    if (style == NULL) return NULL;
    UErrorCode status = U_ZERO_ERROR;
    style->date = udat_open(UDAT_NONE, UDAT_SHORT, locale, u"UTC", -1, NULL, 0, &status);
    style->date_and_time = udat_open(UDAT_MEDIUM, UDAT_SHORT, locale, u"UTC", -1, NULL, 0, &status);
    style->words = ureldatefmt_open(
        locale, NULL, UDAT_STYLE_LONG, UDISPCTX_CAPITALIZATION_FOR_BEGINNING_OF_SENTENCE, &status);
    if (U_SUCCESS(status)) return style;
    cunicode_date_style_close(style);
    return NULL;
}

void cunicode_date_style_close(cunicode_date_style *style) {
    ureldatefmt_close(style->words);
    udat_close(style->date_and_time);
    udat_close(style->date);
    free(style);
}

/// The word for a day, such as `Yesterday`; 0 where the locale has none and counts (`2 days ago`).
static int32_t day_word(const cunicode_date_style *style, int32_t days, UChar *word, UErrorCode *status) {
    UChar counted[longest_date];
    if (days < -2 || days > 2) return 0;
    int32_t length = ureldatefmt_format(style->words, days, UDAT_REL_UNIT_DAY, word, longest_date, status);
    int32_t count =
        ureldatefmt_formatNumeric(style->words, days, UDAT_REL_UNIT_DAY, counted, longest_date, status);
    if (U_FAILURE(*status) || u_strCompare(word, length, counted, count, 0) == 0) return 0;
    return length;
}

int32_t cunicode_date_style_format(
    cunicode_date_style *style, int64_t wall, int32_t days, char *out, int32_t capacity) {
    UErrorCode status = U_ZERO_ERROR;
    UChar whole[2 * longest_date], date[longest_date], word[longest_date];
    int32_t length = udat_format(style->date_and_time, (UDate)wall, whole, longest_date, NULL, &status);
    int32_t word_length = day_word(style, days, word, &status);
    if (U_SUCCESS(status) && word_length > 0) {
        // The word takes the date's place, which keeps the locale's own joint (a comma in German, none in French).
        // ICU's own relative style would do, were its "today" not bound to the machine's clock.
        int32_t date_length = udat_format(style->date, (UDate)wall, date, longest_date, NULL, &status);
        if (U_FAILURE(status)) return -1;
        UChar *place = u_strFindFirst(whole, length, date, date_length);
        if (place != NULL) {
            int32_t rest = length - (int32_t)(place - whole) - date_length;
            u_memmove(place + word_length, place + date_length, rest);
            u_memcpy(place, word, word_length);
            length += word_length - date_length;
        }
    }
    return U_SUCCESS(status) ? utf8_write(whole, length, out, capacity) : -1;
}
