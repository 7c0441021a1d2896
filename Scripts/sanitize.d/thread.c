// SPDX-License-Identifier: GPL-3.0-or-later
// Reports the waits inside Swift's Mutex to the thread sanitizer; linked into each program before the Swift library.
//
// A free mutex is locked in our own code, which the sanitizer instruments; a contended one is locked in a library that
// is not instrumented. Without these functions, the sanitizer reports all data guarded by a mutex as a race once two
// threads have contended for it.
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

// By default, a program waits at its end for races in other threads; tests measure the time that it takes to end. And
// by default the sanitizer handles fatal signals; tests check how the program itself ends.
const char *__tsan_default_options(void) { return "atexit_sleep_ms=0:handle_segv=0:handle_sigbus=0:handle_abort=0"; }

// The value passed by a continuation counts as a race if it is resumed before it is awaited: Swift's concurrency
// library, which is not instrumented, reports only the other order. A missing file fails that fast.
const char *__tsan_default_suppressions(void) { return "race:*10AudioFiles7Outcome*4take*\n"; }
