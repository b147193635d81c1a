#ifndef DAYBOOK_CMICROHTTPD_H
#define DAYBOOK_CMICROHTTPD_H

// One page over HTTP, by libmicrohttpd: its functions are variadic, which Swift can't import.

#include <stddef.h>

typedef struct daybook_page_server daybook_page_server;

/// Makes the page: bytes that free(3) takes, and how many; NULL where there is no memory. Called on the server's thread.
typedef char *(*daybook_make_page)(void *context, size_t *count);

/// Serves one page at one path, to GET and HEAD, on a thread of its own: at most 16 connections at a time, each closed
/// after 10 s of silence.
///
/// `host` is a name or a number, `port` a number. Returns NULL and says why: in `code` an errno, or in `reason` a sentence
/// of getaddrinfo(3) that is not to be freed.
daybook_page_server *daybook_serve_page(
    const char *host, const char *port, const char *path, const char *type,
    daybook_make_page make, void *context, int *code, const char **reason);

/// The port that is listened at; 0 where it can't be told.
unsigned daybook_page_server_port(const daybook_page_server *server);

/// Ends the thread; the page is not made any more once this returns.
void daybook_page_server_stop(daybook_page_server *server);

#endif
