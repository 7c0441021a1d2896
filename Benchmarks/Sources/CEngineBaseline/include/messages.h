// SPDX-License-Identifier: GPL-3.0-or-later
// Messages of 64 bytes between two threads: over rings of C11 atomics, like those of MessageExchange and NoticeQueue,
// and over GLib's GAsyncQueue, which locks and wakes.
#pragma once
#include <stdbool.h>
#include <stdint.h>

struct baseline_message {
    int64_t number, rest[7];
};

/// A thread that echoes requests before each slice of a millisecond, with the rings in both directions.
struct baseline_exchange;
struct baseline_exchange *baseline_exchange_start(void);
/// Sends a request and checks for its answer every 200 microseconds. Returns the number in the answer.
int64_t baseline_exchange_trip(struct baseline_exchange *exchange, int64_t number);
void baseline_exchange_stop(struct baseline_exchange *exchange);

/// Sends requests 0, 1, 2 ... (`each` of them, 1024 at most), then answers and receives them, for `rounds` rounds on
/// one thread. Returns the sum of the numbers received.
int64_t baseline_unwaited(int rounds, int each);
/// Sends as many messages that need no answer. Returns the sum of the numbers received.
int64_t baseline_one_way(int rounds, int each);

/// Loads GLib. Returns true if it is installed; otherwise the functions below must not be called.
bool glib_open(void);
/// As above; an answer wakes the waiting thread.
struct glib_exchange;
struct glib_exchange *glib_exchange_start(void);
int64_t glib_exchange_trip(struct glib_exchange *exchange, int64_t number);
void glib_exchange_stop(struct glib_exchange *exchange);
int64_t glib_unwaited(int rounds, int each);
int64_t glib_one_way(int rounds, int each);
