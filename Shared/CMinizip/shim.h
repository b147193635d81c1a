#ifndef DAYBOOK_CMINIZIP_SHIM_H
#define DAYBOOK_CMINIZIP_SHIM_H

#include <minizip/unzip.h>
#include <zlib.h>

// The macro inflateInit2 is not importable; 16 more than the window's bits stand for gzip.
static inline int daybook_gzip_start(z_stream *stream) {
    return inflateInit2(stream, MAX_WBITS + 16);
}

#endif
