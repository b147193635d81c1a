#include "libpq.h"

#include <dlfcn.h>
#include <stddef.h>

const struct daybook_libpq *daybook_libpq_load(void) {
    static struct daybook_libpq functions;
    void *library = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) return NULL;
#define DAYBOOK_LOAD(name) \
    functions.name = (__typeof__(functions.name))dlsym(library, #name); \
    if (functions.name == NULL) return NULL;
    DAYBOOK_LIBPQ_FUNCTIONS(DAYBOOK_LOAD)
#undef DAYBOOK_LOAD
    return &functions;
}

static void drop(void *argument, const char *notice) {
    (void)argument;
    (void)notice;
}

void daybook_libpq_drop_notices(const struct daybook_libpq *functions, PGconn *connection) {
    functions->PQsetNoticeProcessor(connection, drop, NULL);
}
