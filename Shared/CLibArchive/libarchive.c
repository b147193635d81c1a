#include "libarchive.h"

#include <dlfcn.h>
#include <stddef.h>

_Bool daybook_libarchive_load(struct daybook_libarchive *functions) {
    void *library = dlopen("libarchive.so.13", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) return 0;
#define DAYBOOK_LOAD(name) \
    functions->name = (__typeof__(functions->name))dlsym(library, #name); \
    if (functions->name == NULL) return 0;
    DAYBOOK_LIBARCHIVE_FUNCTIONS(DAYBOOK_LOAD)
#undef DAYBOOK_LOAD
    return 1;
}
