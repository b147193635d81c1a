#ifndef DAYBOOK_CSYSTEM_H
#define DAYBOOK_CSYSTEM_H

// What Linux offers and Swift can't import: variadic functions, and headers that Glibc's module leaves out.

#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

/// Asks the kernel to send `signal` to this process when the thread that started it ends (prctl(2)).
static inline int daybook_signal_on_parent_death(int signal) {
    return prctl(PR_SET_PDEATHSIG, signal, 0, 0, 0);
}

/// Blocks SIGTERM and SIGINT in this thread and those it starts, and returns a descriptor that becomes readable with
/// one of them (signalfd(2)); -1 on failure.
static inline int daybook_termination_descriptor(void) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGINT);
    if (sigprocmask(SIG_BLOCK, &set, 0) != 0) return -1;
    return signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
}

/// The next signal at a termination descriptor; 0 where there is none.
static inline int daybook_next_signal(int descriptor) {
    struct signalfd_siginfo information;
    return read(descriptor, &information, sizeof information) == sizeof information
        ? (int)information.ssi_signo : 0;
}

/// Has the program that is started close every descriptor from this one up (posix_spawn_file_actions_addclosefrom_np(3)).
int daybook_spawn_closing_from(posix_spawn_file_actions_t *actions, int descriptor);

/// Tells the service manager that started this process a state, such as "READY=1" (sd_notify(3)): a datagram to the
/// socket that NOTIFY_SOCKET names. Returns 0, also where there is no manager to tell, or an errno.
int daybook_notify_service_manager(const char *state);

/// Whether a process listens at a socket file (unix(7)). Does not wait.
bool daybook_is_listened_at(const char *path);

#endif
