#define _GNU_SOURCE
#include "CSystem.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

int daybook_spawn_closing_from(posix_spawn_file_actions_t *actions, int descriptor) {
    return posix_spawn_file_actions_addclosefrom_np(actions, descriptor);
}

int daybook_notify_service_manager(const char *state) {
    const char *path = getenv("NOTIFY_SOCKET");
    if (path == NULL || *path == '\0') return 0;
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    size_t length = strlen(path);
    if (length >= sizeof address.sun_path) return ENAMETOOLONG;
    memcpy(address.sun_path, path, length);
    // An abstract name is told by '@' for its NUL, and its length counts (unix(7)).
    if (*path == '@') address.sun_path[0] = '\0';
    int descriptor = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (descriptor < 0) return errno;
    socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length);
    ssize_t sent = sendto(descriptor, state, strlen(state), MSG_NOSIGNAL, (struct sockaddr *)&address, size);
    int code = sent < 0 ? errno : 0;
    close(descriptor);
    return code;
}

bool daybook_is_listened_at(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    size_t length = strlen(path);
    if (length >= sizeof address.sun_path) return false;
    memcpy(address.sun_path, path, length);
    int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (descriptor < 0) return false;
    int code = connect(descriptor, (struct sockaddr *)&address, sizeof address) == 0 ? 0 : errno;
    close(descriptor);
    // EAGAIN: more wait for it than it takes.
    return code == 0 || code == EAGAIN;
}
