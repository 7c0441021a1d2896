// SPDX-License-Identifier: GPL-3.0-or-later
#include "scheduler.h"
#include <stdio.h>
#include <stdlib.h>

struct named {
    int64_t index;
    struct baseline_diary *diary;
    char name[16];
};

struct baseline_events {
    int count;
    struct named each[];
};

struct baseline_events *baseline_events_new(int count, struct baseline_diary *diary) {
    struct baseline_events *events = calloc(1, sizeof *events + (size_t)count * sizeof *events->each);
    if (!events) abort();
    events->count = count;
    for (int index = 0; index < count; index++) {
        events->each[index].index = index;
        events->each[index].diary = diary;
        snprintf(events->each[index].name, sizeof events->each[index].name, "event %d", index);
    }
    return events;
}

void baseline_events_free(struct baseline_events *events) { free(events); }

static void note(void *context, const struct baseline_moment *moment) {
    const struct named *named = context;
    int64_t *entry = named->diary->entries + 2 * named->diary->count++;
    entry[0] = named->index;
    entry[1] = moment->slice + moment->offset;
}

void baseline_schedule_events(struct baseline_scheduler *scheduler, struct baseline_events *events,
                              const int64_t *frames) {
    for (int index = 0; index < events->count; index++) {
        struct named *named = &events->each[index];
        baseline_schedule(scheduler, frames[index], named->name, note, named);
    }
}

int baseline_cancel_tenth(struct baseline_scheduler *scheduler, struct baseline_events *events) {
    int count = 0;
    for (int index = 0; index < events->count; index += 10) {
        count += baseline_cancel(scheduler, events->each[index].name);
    }
    return count;
}
