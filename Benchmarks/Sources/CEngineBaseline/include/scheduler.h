// SPDX-License-Identifier: GPL-3.0-or-later
// A scheduler in C with the guarantees of BlockScheduler: actions are scheduled and cancelled by name from any thread
// under a mutex, passed through a ring to the rendering thread, which keeps a binary heap and neither locks nor
// allocates, and released on another thread.
#pragma once
#include <stdbool.h>
#include <stdint.h>

/// The moment at which an action is performed: in the slice of `frames` frames that begins at `slice`, at this
/// offset.
struct baseline_moment {
    int64_t slice, frames, offset, frame;
};
typedef void (*baseline_action)(void *context, const struct baseline_moment *moment);

struct baseline_scheduler;
struct baseline_scheduler *baseline_scheduler_new(int capacity);
void baseline_scheduler_free(struct baseline_scheduler *scheduler);
/// Copies the first 15 bytes of the name. Returns false if `capacity` actions are pending.
bool baseline_schedule(struct baseline_scheduler *scheduler, int64_t frame, const char *name, baseline_action action,
                       void *context);
/// Cancels all actions with that name. Returns their number.
int baseline_cancel(struct baseline_scheduler *scheduler, const char *name);
/// Performs the actions due in `[slice, slice + frames)`. Called on the rendering thread.
void baseline_will_render(struct baseline_scheduler *scheduler, int64_t slice, int64_t frames);
/// Releases the actions that were performed or cancelled.
void baseline_drain(struct baseline_scheduler *scheduler);

/// Schedules an action at each frame, named "event 0" and so on, that appends its index and the frame at which it was
/// performed to `diary`; cancels every tenth of them.
struct baseline_diary {
    int64_t count;
    /// Two numbers for each: its index; the slice plus the offset.
    int64_t *entries;
};
struct baseline_events;
struct baseline_events *baseline_events_new(int count, struct baseline_diary *diary);
void baseline_events_free(struct baseline_events *events);
void baseline_schedule_events(struct baseline_scheduler *scheduler, struct baseline_events *events,
                              const int64_t *frames);
int baseline_cancel_tenth(struct baseline_scheduler *scheduler, struct baseline_events *events);
