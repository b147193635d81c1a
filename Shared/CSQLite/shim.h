#ifndef DAYBOOK_CSQLITE_SHIM_H
#define DAYBOOK_CSQLITE_SHIM_H

#include <sqlite3.h>

// Binds bytes that stay where they are until something else is bound. A pointer is needed even for no bytes: NULL is another
// value.
static inline int daybook_sqlite_lend_blob(sqlite3_stmt *statement, int index, const void *bytes, int count) {
    return sqlite3_bind_blob(statement, index, bytes ? bytes : "", count, SQLITE_STATIC);
}

static inline int daybook_sqlite_lend_text(sqlite3_stmt *statement, int index, const char *bytes, int count) {
    return sqlite3_bind_text(statement, index, bytes ? bytes : "", count, SQLITE_STATIC);
}

// The variadic sqlite3_config is not importable.
// SQLite then counts no bytes, which would take a mutex for each piece of memory. Before the first connection only.
static inline int daybook_sqlite_count_no_memory(void) {
    return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

#endif
