// SPDX-License-Identifier: GPL-3.0-or-later
// The handler is written in C: Swift may allocate memory or take a lock in any expression, and a thread that crashes
// inside the allocator would then wait for itself. It calls only async-signal-safe functions (POSIX.1-2017, 2.4.3).
#include "CCrashRecovery.h"
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

static const int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT};

/// The terminal to restore; -1 if its modes are unchanged.
static atomic_int armed_terminal = -1;
/// True after a crash has begun to restore the terminal.
static atomic_bool has_begun = false;
static struct termios found_modes;
static int farewell_output;
static unsigned char farewell_bytes[crash_recovery_longest_farewell];
static size_t farewell_count;
/// The handlers installed before, by signal; one may print a backtrace.
static struct sigaction earlier[NSIG];

/// Writes the farewell. A descriptor that never waits takes no bytes while the terminal still holds a frame, or while
/// another thread writes one: so this tries again for up to two seconds.
static void say_farewell(void) {
    size_t sent = 0;
    for (int attempts = 0; sent < farewell_count && attempts < 200;) {
        // A descriptor that waits must not stop the end of the process.
        struct pollfd entry = {.fd = farewell_output, .events = POLLOUT};
        if (poll(&entry, 1, 10) <= 0) {
            attempts++;
            continue;
        }
        ssize_t count = write(farewell_output, farewell_bytes + sent, farewell_count - sent);
        if (count > 0) {
            sent += (size_t)count;
        } else if (count < 0 && (errno == EAGAIN || errno == EINTR)) {
            attempts++;
            poll(NULL, 0, 10);
        } else {
            return;
        }
    }
}

static void restore(int signal, siginfo_t *details, void *context) {
    (void)context;
    int terminal = atomic_load(&armed_terminal);
    if (terminal >= 0) {
        atomic_store(&has_begun, true);
        say_farewell();
        tcsetattr(terminal, TCSANOW, &found_modes);
    }
    sigaction(signal, &earlier[signal], NULL);
    // The faulting instruction runs again after the return; a signal from a process must be raised again.
    if (details->si_code <= 0) raise(signal);
}

static void install(void) {
    struct sigaction action = {.sa_sigaction = restore, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    for (size_t index = 0; index < sizeof signals / sizeof *signals; index++)
        sigaction(signals[index], &action, &earlier[signals[index]]);
}

void crash_recovery_arm(
    int terminal, const struct termios *modes, int output, const unsigned char *farewell, size_t count) {
    static bool is_installed = false;
    found_modes = *modes;
    farewell_output = output;
    farewell_count = count < sizeof farewell_bytes ? count : sizeof farewell_bytes;
    memcpy(farewell_bytes, farewell, farewell_count);
    if (!is_installed) install();
    is_installed = true;
    atomic_store(&armed_terminal, terminal);
}

bool crash_recovery_has_begun(void) { return atomic_load(&has_begun); }

void crash_recovery_disarm(void) { atomic_store(&armed_terminal, -1); }
