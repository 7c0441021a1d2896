// SPDX-License-Identifier: GPL-3.0-or-later
// A lock-free ring from one thread to another: messages of 64 bytes, free-running indexes, and for each end a
// separate cache line with its cached copy of the other's index.
#pragma once
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { message_size = 64 };

struct ring {
    size_t mask;
    char *slots;
    _Alignas(128) atomic_size_t written;
    size_t read_seen;
    _Alignas(128) atomic_size_t read;
    size_t written_seen;
};

/// `capacity` is rounded up to a power of two.
static inline void ring_init(struct ring *ring, size_t capacity) {
    size_t size = 1;
    while (size < capacity) size *= 2;
    *ring = (struct ring){.mask = size - 1, .slots = aligned_alloc(message_size, size * message_size)};
    if (!ring->slots) abort();
    atomic_init(&ring->written, 0);
    atomic_init(&ring->read, 0);
}

static inline void ring_free(struct ring *ring) { free(ring->slots); }

static inline bool ring_push(struct ring *ring, const void *message) {
    size_t const end = atomic_load_explicit(&ring->written, memory_order_relaxed);
    if (end - ring->read_seen > ring->mask) {
        ring->read_seen = atomic_load_explicit(&ring->read, memory_order_acquire);
        if (end - ring->read_seen > ring->mask) return false;
    }
    memcpy(ring->slots + (end & ring->mask) * message_size, message, message_size);
    atomic_store_explicit(&ring->written, end + 1, memory_order_release);
    return true;
}

static inline bool ring_pop(struct ring *ring, void *message) {
    size_t const start = atomic_load_explicit(&ring->read, memory_order_relaxed);
    if (start == ring->written_seen) {
        ring->written_seen = atomic_load_explicit(&ring->written, memory_order_acquire);
        if (start == ring->written_seen) return false;
    }
    memcpy(message, ring->slots + (start & ring->mask) * message_size, message_size);
    atomic_store_explicit(&ring->read, start + 1, memory_order_release);
    return true;
}
