// SPDX-License-Identifier: GPL-3.0-or-later
// A binary heap of a fixed capacity that finds the first of many events. Events at the same frame are sorted by
// `order`.
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

struct event {
    int64_t frame;
    uint64_t order;
    int slot;
};

struct heap {
    int count;
    struct event *events;
    /// The position of each slot's event in the heap, -1 if it has none.
    int *positions;
};

static inline struct heap heap_new(int capacity) {
    size_t const size = (size_t)capacity;
    struct heap heap = {0, calloc(size, sizeof *heap.events), calloc(size, sizeof *heap.positions)};
    if (!heap.events || !heap.positions) abort();
    for (int slot = 0; slot < capacity; slot++) heap.positions[slot] = -1;
    return heap;
}

static inline void heap_free(struct heap *heap) {
    free(heap->events);
    free(heap->positions);
}

static inline bool precedes(const struct event *one, const struct event *other) {
    return one->frame != other->frame ? one->frame < other->frame : one->order < other->order;
}

static inline void heap_put(struct heap *heap, struct event event, int position) {
    heap->events[position] = event;
    heap->positions[event.slot] = position;
}

/// Moves other events down until the event is in its position.
static inline int heap_rise(struct heap *heap, const struct event *event, int position) {
    while (position > 0 && precedes(event, &heap->events[(position - 1) / 2])) {
        heap_put(heap, heap->events[(position - 1) / 2], position);
        position = (position - 1) / 2;
    }
    return position;
}

static inline int heap_sink(struct heap *heap, const struct event *event, int position) {
    for (int child; (child = 2 * position + 1) < heap->count; position = child) {
        if (child + 1 < heap->count && precedes(&heap->events[child + 1], &heap->events[child])) child++;
        if (!precedes(&heap->events[child], event)) break;
        heap_put(heap, heap->events[child], position);
    }
    return position;
}

static inline void heap_insert(struct heap *heap, struct event event) {
    heap_put(heap, event, heap_rise(heap, &event, heap->count++));
}

static inline void heap_remove(struct heap *heap, int slot) {
    int const position = heap->positions[slot];
    if (position < 0) return;
    heap->positions[slot] = -1;
    struct event const last = heap->events[--heap->count];
    if (position == heap->count) return;
    int const risen = heap_rise(heap, &last, position);
    heap_put(heap, last, risen == position ? heap_sink(heap, &last, position) : risen);
}

static inline bool heap_take_first(struct heap *heap, int64_t end, struct event *event) {
    if (heap->count == 0 || heap->events[0].frame >= end) return false;
    *event = heap->events[0];
    heap_remove(heap, event->slot);
    return true;
}
