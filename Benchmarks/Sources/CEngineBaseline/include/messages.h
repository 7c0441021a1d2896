// SPDX-License-Identifier: GPL-3.0-or-later
// Messages of 64 bytes between two threads: over rings of C11 atomics, as MessageExchange's and NoticeQueue's, and over
// GLib's GAsyncQueue, which locks and wakes.
#pragma once
#include <stdbool.h>
#include <stdint.h>

struct baseline_message {
    int64_t number, rest[7];
};

/// A thread that answers requests with themselves before each slice of a millisecond, and what leads there and back.
struct baseline_exchange;
struct baseline_exchange *baseline_exchange_start(void);
/// Sends a request and looks for its answer each 200 microseconds. Returns the number in the answer.
int64_t baseline_exchange_trip(struct baseline_exchange *exchange, int64_t number);
void baseline_exchange_stop(struct baseline_exchange *exchange);

/// Requests 0, 1, 2 ..., `each` of them (1024 at most) sent, then answered, then told, so many rounds, on one thread.
/// Returns the sum of the numbers told.
int64_t baseline_unwaited(int rounds, int each);
/// As many messages that need no answer. Returns the sum of the numbers received.
int64_t baseline_one_way(int rounds, int each);

/// Looks for GLib. Returns whether it is installed; without it, nothing below may be called.
bool glib_open(void);
/// As above; whoever waits for an answer is woken by it.
struct glib_exchange;
struct glib_exchange *glib_exchange_start(void);
int64_t glib_exchange_trip(struct glib_exchange *exchange, int64_t number);
void glib_exchange_stop(struct glib_exchange *exchange);
int64_t glib_unwaited(int rounds, int each);
int64_t glib_one_way(int rounds, int each);
