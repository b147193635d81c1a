#include "CMicroHTTPD.h"

#include <errno.h>
#include <microhttpd.h>
#include <netdb.h>
#include <stdlib.h>
#include <string.h>

struct daybook_page_server {
    struct MHD_Daemon *daemon;
    char *path;
    char *type;
    daybook_make_page make;
    void *context;
};

static enum MHD_Result respond(
    struct MHD_Connection *connection, unsigned status, char *bytes, size_t count, enum MHD_ResponseMemoryMode mode,
    const char *header, const char *value
) {
    struct MHD_Response *response = MHD_create_response_from_buffer(count, bytes, mode);
    if (response == NULL) {
        if (mode == MHD_RESPMEM_MUST_FREE) free(bytes);
        return MHD_NO;
    }
    MHD_add_response_header(response, header, value);
    enum MHD_Result result = MHD_queue_response(connection, status, response);
    MHD_destroy_response(response);
    return result;
}

static enum MHD_Result answer(
    void *context, struct MHD_Connection *connection, const char *url, const char *method, const char *version,
    const char *upload, size_t *upload_size, void **state
) {
    (void)version;
    (void)upload;
    struct daybook_page_server *server = context;
    // The first call is for the headers alone.
    static int seen;
    if (*state == NULL) {
        *state = &seen;
        return MHD_YES;
    }
    // What is sent along is not looked at.
    if (*upload_size != 0) {
        *upload_size = 0;
        return MHD_YES;
    }
    if (strcmp(url, server->path) != 0) {
        return respond(connection, MHD_HTTP_NOT_FOUND, "not found\n", 10, MHD_RESPMEM_PERSISTENT, "Content-Type", "text/plain");
    }
    if (strcmp(method, "GET") != 0 && strcmp(method, "HEAD") != 0) {
        return respond(connection, MHD_HTTP_METHOD_NOT_ALLOWED, "", 0, MHD_RESPMEM_PERSISTENT, "Allow", "GET, HEAD");
    }
    size_t count = 0;
    char *page = server->make(server->context, &count);
    if (page == NULL) return MHD_NO;
    return respond(connection, MHD_HTTP_OK, page, count, MHD_RESPMEM_MUST_FREE, "Content-Type", server->type);
}

static void discard(struct daybook_page_server *server) {
    free(server->path);
    free(server->type);
    free(server);
}

daybook_page_server *daybook_serve_page(
    const char *host, const char *port, const char *path, const char *type,
    daybook_make_page make, void *context, int *code, const char **reason
) {
    *code = 0;
    *reason = NULL;
    struct addrinfo hints = {.ai_flags = AI_PASSIVE | AI_NUMERICSERV, .ai_socktype = SOCK_STREAM}, *found = NULL;
    int problem = getaddrinfo(host, port, &hints, &found);
    if (problem != 0) {
        *reason = gai_strerror(problem);
        return NULL;
    }
    struct daybook_page_server *server = calloc(1, sizeof *server);
    if (server != NULL) {
        server->path = strdup(path);
        server->type = strdup(type);
        server->make = make;
        server->context = context;
    }
    if (server == NULL || server->path == NULL || server->type == NULL) {
        if (server != NULL) discard(server);
        freeaddrinfo(found);
        *code = ENOMEM;
        return NULL;
    }
    unsigned flags = MHD_USE_AUTO_INTERNAL_THREAD | (found->ai_family == AF_INET6 ? MHD_USE_IPv6 : 0);
    errno = 0;
    server->daemon = MHD_start_daemon(
        flags, 0, NULL, NULL, answer, server,
        MHD_OPTION_SOCK_ADDR, found->ai_addr,
        MHD_OPTION_CONNECTION_LIMIT, 16u,
        MHD_OPTION_CONNECTION_TIMEOUT, 10u,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)16384,
        MHD_OPTION_END);
    *code = errno;
    freeaddrinfo(found);
    if (server->daemon == NULL) {
        discard(server);
        if (*code == 0) *code = EINVAL;
        return NULL;
    }
    return server;
}

unsigned daybook_page_server_port(const daybook_page_server *server) {
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(server->daemon, MHD_DAEMON_INFO_BIND_PORT);
    return info == NULL ? 0 : info->port;
}

void daybook_page_server_stop(daybook_page_server *server) {
    MHD_stop_daemon(server->daemon);
    discard(server);
}
