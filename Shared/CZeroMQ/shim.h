// What Swift can't reach in libzmq by itself: a macro of the draft section, and work that must leave errno alone.
#ifndef CZEROMQ_SHIM_H
#define CZEROMQ_SHIM_H

#include <errno.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>
#include <zmq.h>

// zmq.h declares option 93 only with ZMQ_BUILD_DRAFT_API, but the library of 4.3.x obeys it in every build.
static const int CZEROMQ_ZAP_ENFORCE_DOMAIN = 93;

// glibc's, declared only under _GNU_SOURCE, which is too late to define here.
extern const char *strerrorname_np(int number);

// The symbolic name of an error number, libzmq's own included; NULL for one that nobody knows.
static inline const char *czeromq_error_name(int number) {
    switch (number) {
    case EFSM: return "EFSM";
    case ENOCOMPATPROTO: return "ENOCOMPATPROTO";
    case ETERM: return "ETERM";
    case EMTHREAD: return "EMTHREAD";
    default: return strerrorname_np(number);
    }
}

static inline int czeromq_eventfd(void) {
    return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
}

// Safe in a signal handler: one system call, errno as it was.
static inline void czeromq_eventfd_signal(int descriptor) {
    int before = errno;
    uint64_t one = 1;
    while (write(descriptor, &one, sizeof one) < 0 && errno == EINTR) {}
    errno = before;
}

// Takes all pending signals; how many there were.
static inline uint64_t czeromq_eventfd_drain(int descriptor) {
    uint64_t count = 0;
    while (read(descriptor, &count, sizeof count) < 0) {
        if (errno != EINTR) return 0;
    }
    return count;
}

#endif
