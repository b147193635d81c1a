#include "cunicode.h"
#include "utf16.h"

#include <pthread.h>
#include <stdio.h>
#include <unicode/ucol.h>

static UCollator *root;
static pthread_once_t root_once = PTHREAD_ONCE_INIT;

static void open_root(void) {
    UErrorCode status = U_ZERO_ERROR;
    UCollator *collator = ucol_open("root", &status);
    // Off, ICU trusts that marks are in order, which NFC doesn't promise for all that ICU composes further.
    ucol_setAttribute(collator, UCOL_NORMALIZATION_MODE, UCOL_ON, &status);
    if (U_SUCCESS(status)) {
        root = collator;
    } else {
        ucol_close(collator);
    }
}

/// One collator serves every thread: nothing changes it after it is open, and making a key takes it as const.
static const UCollator *root_collator(void) {
    pthread_once(&root_once, open_root);
    return root;
}

/// Whether the text is NFC for sure. ICU's collator reorders marks by itself, but not all: и, U+030A, U+1D181, U+0338
/// gets another key than its normal form. Keys of equal text have to be equal, so it is composed before.
static int is_nfc(const utf16_buffer *text) {
    UErrorCode status = U_ZERO_ERROR;
    const UNormalizer2 *nfc = unorm2_getNFCInstance(&status);
    return unorm2_spanQuickCheckYes(nfc, text->units, text->length, &status) == text->length && U_SUCCESS(status);
}

int32_t cunicode_sort_key(const char *text, int32_t length, uint8_t *out, int32_t capacity) {
    const UCollator *collator = root_collator();
    utf16_buffer source;
    if (collator == NULL || !utf16_read(&source, text, length)) return -1;
    int32_t written = 0;
    if (is_nfc(&source)) {
        written = ucol_getSortKey(collator, source.units, source.length, out, capacity);
    } else {
        utf16_buffer composed;
        UErrorCode status = U_ZERO_ERROR;
        utf16_init(&composed);
        if (utf16_normalize(unorm2_getNFCInstance(&status), &source, &composed)) {
            written = ucol_getSortKey(collator, composed.units, composed.length, out, capacity);
        }
        utf16_free(&composed);
    }
    utf16_free(&source);
    // The zero closes the key and stands nowhere else in it; a key that ends early sorts first without it, too.
    return written - 1;
}

int32_t cunicode_version(char *out, int32_t capacity) {
    const UCollator *collator = root_collator();
    if (collator == NULL) return -1;
    UVersionInfo version;
    char library[U_MAX_VERSION_STRING_LENGTH], collation[U_MAX_VERSION_STRING_LENGTH];
    u_getVersion(version);
    u_versionToString(version, library);
    ucol_getVersion(collator, version);
    u_versionToString(version, collation);
    return snprintf(out, (size_t)capacity, "%s/%s", library, collation);
}
