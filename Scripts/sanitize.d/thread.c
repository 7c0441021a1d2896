// SPDX-License-Identifier: GPL-3.0-or-later
// Tells the thread sanitizer of the waits inside Swift's Mutex; linked into each program, where it comes before the
// Swift library.
//
// A mutex that is free is locked in our own code, where the sanitizer sees it; one that is not, in a library that is
// not instrumented. Without this, all that a lock guards counts as a race once two threads have met at it.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

void __tsan_acquire(void *address) __attribute__((weak));
void __tsan_release(void *address) __attribute__((weak));

SWIFT void lock_slow(uint32_t thread, SELF void *self) __asm__(LOCK);
SWIFT void unlock_slow(SELF void *self) __asm__(UNLOCK);

SWIFT void lock_slow(uint32_t thread, SELF void *self) {
    SWIFT void (*original)(uint32_t, SELF void *) = dlsym(RTLD_NEXT, LOCK);
    original(thread, self);
    if (__tsan_acquire) __tsan_acquire(self);
}

SWIFT void unlock_slow(SELF void *self) {
    SWIFT void (*original)(SELF void *) = dlsym(RTLD_NEXT, UNLOCK);
    if (__tsan_release) __tsan_release(self);
    original(self);
}

// A program waits at its end for other threads to show a race; tests measure how soon it ends.
const char *__tsan_default_options(void) { return "atexit_sleep_ms=0"; }

// What a continuation hands over counts as a race where it is resumed before it is awaited: only of the other case the
// library of Swift's tasks, which is not instrumented, tells the sanitizer. A file that is not there is loaded so fast.
const char *__tsan_default_suppressions(void) { return "race:*10AudioFiles7Outcome*4take*\n"; }
