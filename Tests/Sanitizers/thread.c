// Linked into each executable that ThreadSanitizer watches, by run-sanitizers.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

// Swift's Mutex takes and leaves a lock that nobody waits for by atomic operations in the code that uses it, which the
// sanitizer sees; where a thread waits, the kernel hands the lock over (futex(2), FUTEX_LOCK_PI) in the library, which was
// built without the sanitizer. Each such hand-over would be told as a race. So these two tell of it.

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
#define SWIFT __attribute__((swiftcall))
#define MUTEX __attribute__((swift_context)) void *mutex

extern void __tsan_acquire(void *);
extern void __tsan_release(void *);

SWIFT void daybook_lock_slow(uint32_t thread, MUTEX) __asm__(LOCK);
SWIFT void daybook_unlock_slow(MUTEX) __asm__(UNLOCK);

SWIFT void daybook_lock_slow(uint32_t thread, MUTEX) {
  ((SWIFT void (*)(uint32_t, MUTEX))dlsym(RTLD_NEXT, LOCK))(thread, mutex);
  __tsan_acquire(mutex);
}

SWIFT void daybook_unlock_slow(MUTEX) {
  __tsan_release(mutex);
  ((SWIFT void (*)(MUTEX))dlsym(RTLD_NEXT, UNLOCK))(mutex);
}

// Services and commands are started with an environment of their own, so that it says nothing of reports.
__attribute__((visibility("default"))) const char *__tsan_default_options(void) {
  // A process ends with its context of libzmq shut down and not freed, so that its threads, which have ended, are not joined.
  return "log_path=" REPORTS ":exitcode=0:history_size=4:report_thread_leaks=0";
}
