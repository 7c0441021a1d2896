// SPDX-License-Identifier: GPL-3.0-or-later
// The handler is written in C: Swift may allocate memory or take a lock in any expression, and a thread that crashes
// inside the allocator would then wait for itself. It calls only async-signal-safe functions (POSIX.1-2017, 2.4.3).
#include "CCrashRecovery.h"
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

static const int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT};

/// The terminal to restore; -1 if its modes are unchanged.
static atomic_int armed_terminal = -1;
static struct termios found_modes;
static int farewell_output;
static unsigned char farewell_bytes[crash_recovery_longest_farewell];
static size_t farewell_count;
/// The handlers installed before, by signal; one may print a backtrace.
static struct sigaction earlier[NSIG];

static void restore(int signal, siginfo_t *details, void *context) {
    (void)context;
    int terminal = atomic_load(&armed_terminal);
    if (terminal >= 0) {
        ssize_t written = write(farewell_output, farewell_bytes, farewell_count);
        (void)written;
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

void crash_recovery_disarm(void) { atomic_store(&armed_terminal, -1); }
