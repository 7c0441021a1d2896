// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef EARSHOT_CRASH_RECOVERY_H
#define EARSHOT_CRASH_RECOVERY_H
#include <stdbool.h>
#include <stddef.h>
#include <termios.h>

/// The longest farewell in bytes.
enum { crash_recovery_longest_farewell = 256 };

/// Restores a terminal if the process crashes from now on. The first call installs handlers for the signals of a crash.
/// Calls must not overlap.
/// - terminal: the descriptor of the terminal.
/// - modes: the modes to restore.
/// - output: the descriptor that the farewell is written to before.
/// - farewell: the bytes that restore the terminal; bytes after the longest farewell are left out.
void crash_recovery_arm(
    int terminal, const struct termios *modes, int output, const unsigned char *farewell, size_t count);

/// Returns true after a crash has begun to restore the terminal. From then on, nothing may be drawn: it would appear on
/// the screen of the shell.
bool crash_recovery_has_begun(void);

/// Leaves the terminal alone from now on.
void crash_recovery_disarm(void);
#endif
