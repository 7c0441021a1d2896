// SPDX-License-Identifier: GPL-3.0-or-later
#include "scheduler.h"
#include "heap.h"
#include "ring.h"
#include <pthread.h>

enum { name_size = 16, none = -1 };

struct request {
    int64_t slot, frame;
    uint64_t order;
    bool is_cancel;
    char rest[39];
};
_Static_assert(sizeof(struct request) == message_size, "a request of another size than the ring's messages");

struct outcome {
    int64_t slot;
    struct baseline_moment moment;
    bool is_performed;
    char rest[23];
};
_Static_assert(sizeof(struct outcome) == message_size, "an outcome of another size than the ring's messages");

struct slot {
    baseline_action action;
    void *context;
    char name[name_size];
    /// The next slot whose name shares the bucket, or the next free slot.
    int next;
    /// Set by the first of the rendering thread and a cancel, which then owns the action.
    atomic_bool is_claimed;
};

struct baseline_scheduler {
    struct ring requests, done;
    struct heap heap;
    pthread_mutex_t mutex;
    struct slot *slots;
    int *buckets;
    uint32_t bucket_mask;
    int free;
    uint64_t order;
};

static void *allocate(size_t count, size_t size) {
    void *memory = calloc(count, size);
    if (!memory) abort();
    return memory;
}

struct baseline_scheduler *baseline_scheduler_new(int capacity) {
    struct baseline_scheduler *scheduler = aligned_alloc(_Alignof(struct baseline_scheduler), sizeof *scheduler);
    if (!scheduler) abort();
    uint32_t buckets = 1;
    while (buckets < (uint32_t)capacity) buckets *= 2;
    *scheduler = (struct baseline_scheduler){
        .heap = heap_new(capacity), .mutex = PTHREAD_MUTEX_INITIALIZER, .bucket_mask = buckets - 1,
        .slots = allocate((size_t)capacity, sizeof(struct slot)), .buckets = allocate(buckets, sizeof(int))};
    ring_init(&scheduler->requests, (size_t)capacity * 2);
    ring_init(&scheduler->done, (size_t)capacity);
    for (int slot = 0; slot < capacity; slot++) scheduler->slots[slot].next = slot + 1 < capacity ? slot + 1 : none;
    for (uint32_t bucket = 0; bucket < buckets; bucket++) scheduler->buckets[bucket] = none;
    return scheduler;
}

void baseline_scheduler_free(struct baseline_scheduler *scheduler) {
    ring_free(&scheduler->requests);
    ring_free(&scheduler->done);
    heap_free(&scheduler->heap);
    free(scheduler->slots);
    free(scheduler->buckets);
    free(scheduler);
}

/// Returns the bucket of a name, by FNV-1a.
static int *bucket_of(struct baseline_scheduler *scheduler, const char *name) {
    uint32_t hash = 2166136261;
    for (; *name; name++) hash = (hash ^ (unsigned char)*name) * 16777619;
    return &scheduler->buckets[hash & scheduler->bucket_mask];
}

bool baseline_schedule(struct baseline_scheduler *scheduler, int64_t frame, const char *name, baseline_action action,
                       void *context) {
    pthread_mutex_lock(&scheduler->mutex);
    int const number = scheduler->free;
    if (number != none) {
        struct slot *slot = &scheduler->slots[number];
        scheduler->free = slot->next;
        slot->action = action;
        slot->context = context;
        strncpy(slot->name, name, name_size - 1);
        atomic_store_explicit(&slot->is_claimed, false, memory_order_relaxed);
        int *bucket = bucket_of(scheduler, slot->name);
        slot->next = *bucket;
        *bucket = number;
        ring_push(&scheduler->requests,
                  &(struct request){.slot = number, .frame = frame, .order = scheduler->order++});
    }
    pthread_mutex_unlock(&scheduler->mutex);
    return number != none;
}

static bool claim(struct slot *slot) {
    return !atomic_exchange_explicit(&slot->is_claimed, true, memory_order_acq_rel);
}

int baseline_cancel(struct baseline_scheduler *scheduler, const char *name) {
    int count = 0;
    pthread_mutex_lock(&scheduler->mutex);
    for (int number = *bucket_of(scheduler, name); number != none; number = scheduler->slots[number].next) {
        struct slot *slot = &scheduler->slots[number];
        if (strcmp(slot->name, name) != 0 || !claim(slot)) continue;
        ring_push(&scheduler->requests, &(struct request){.slot = number, .is_cancel = true});
        count++;
    }
    pthread_mutex_unlock(&scheduler->mutex);
    return count;
}

void baseline_will_render(struct baseline_scheduler *scheduler, int64_t slice, int64_t frames) {
    struct request request;
    while (ring_pop(&scheduler->requests, &request)) {
        if (request.is_cancel) {
            heap_remove(&scheduler->heap, (int)request.slot);
            ring_push(&scheduler->done, &(struct outcome){.slot = request.slot});
        } else {
            heap_insert(&scheduler->heap, (struct event){request.frame, request.order, (int)request.slot});
        }
    }
    struct event event;
    while (heap_take_first(&scheduler->heap, slice + frames, &event)) {
        struct slot *slot = &scheduler->slots[event.slot];
        if (!claim(slot)) continue;
        int64_t const offset = event.frame > slice ? event.frame - slice : 0;
        struct outcome const outcome = {
            .slot = event.slot, .moment = {slice, frames, offset, event.frame}, .is_performed = true};
        slot->action(slot->context, &outcome.moment);
        ring_push(&scheduler->done, &outcome);
    }
}

void baseline_drain(struct baseline_scheduler *scheduler) {
    struct outcome outcome;
    while (ring_pop(&scheduler->done, &outcome)) {
        pthread_mutex_lock(&scheduler->mutex);
        struct slot *slot = &scheduler->slots[outcome.slot];
        int *link = bucket_of(scheduler, slot->name);
        while (*link != (int)outcome.slot) link = &scheduler->slots[*link].next;
        *link = slot->next;
        slot->next = scheduler->free;
        scheduler->free = (int)outcome.slot;
        pthread_mutex_unlock(&scheduler->mutex);
    }
}
