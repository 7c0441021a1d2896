// SPDX-License-Identifier: GPL-3.0-or-later
// GLib's GAsyncQueue, loaded at run time so that the build does not need it. The declarations follow its ABI.
#include "messages.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct GAsyncQueue GAsyncQueue;
static GAsyncQueue *(*queue_new)(void);
static void (*queue_unref)(GAsyncQueue *);
static void (*queue_push)(GAsyncQueue *, void *);
static void *(*queue_pop)(GAsyncQueue *);
static void *(*queue_try_pop)(GAsyncQueue *);

bool glib_open(void) {
    void *glib = dlopen("libglib-2.0.so.0", RTLD_NOW);
    if (!glib) return false;
    queue_new = (GAsyncQueue * (*)(void)) dlsym(glib, "g_async_queue_new");
    queue_unref = (void (*)(GAsyncQueue *))dlsym(glib, "g_async_queue_unref");
    queue_push = (void (*)(GAsyncQueue *, void *))dlsym(glib, "g_async_queue_push");
    queue_pop = (void *(*)(GAsyncQueue *))dlsym(glib, "g_async_queue_pop");
    queue_try_pop = (void *(*)(GAsyncQueue *))dlsym(glib, "g_async_queue_try_pop");
    return queue_new && queue_unref && queue_push && queue_pop && queue_try_pop;
}

// The queue contains pointers: each message stays in its memory, and is answered in place.
struct glib_exchange {
    GAsyncQueue *requests, *answers;
    atomic_bool is_done;
    pthread_t thread;
};

static void perform_all(struct glib_exchange *exchange) {
    struct baseline_message *message;
    while ((message = queue_try_pop(exchange->requests))) queue_push(exchange->answers, message);
}

static void *render(void *context) {
    struct glib_exchange *exchange = context;
    while (!atomic_load_explicit(&exchange->is_done, memory_order_acquire)) {
        perform_all(exchange);
        usleep(1000);
    }
    return NULL;
}

static struct glib_exchange *exchange_new(void) {
    struct glib_exchange *exchange = calloc(1, sizeof *exchange);
    if (!exchange) abort();
    exchange->requests = queue_new();
    exchange->answers = queue_new();
    return exchange;
}

static void exchange_free(struct glib_exchange *exchange) {
    queue_unref(exchange->requests);
    queue_unref(exchange->answers);
    free(exchange);
}

struct glib_exchange *glib_exchange_start(void) {
    struct glib_exchange *exchange = exchange_new();
    if (pthread_create(&exchange->thread, NULL, render, exchange) != 0) abort();
    return exchange;
}

int64_t glib_exchange_trip(struct glib_exchange *exchange, int64_t number) {
    struct baseline_message message = {.number = number};
    queue_push(exchange->requests, &message);
    return ((struct baseline_message *)queue_pop(exchange->answers))->number;
}

void glib_exchange_stop(struct glib_exchange *exchange) {
    atomic_store_explicit(&exchange->is_done, true, memory_order_release);
    pthread_join(exchange->thread, NULL);
    exchange_free(exchange);
}

static struct baseline_message *messages_new(int count) {
    struct baseline_message *messages = calloc((size_t)count, sizeof *messages);
    if (!messages) abort();
    return messages;
}

int64_t glib_unwaited(int rounds, int each) {
    struct glib_exchange *exchange = exchange_new();
    struct baseline_message *messages = messages_new(each), *message;
    int64_t sum = 0;
    for (int round = 0; round < rounds; round++) {
        for (int number = 0; number < each; number++) {
            messages[number] = (struct baseline_message){.number = number};
            queue_push(exchange->requests, &messages[number]);
        }
        perform_all(exchange);
        while ((message = queue_try_pop(exchange->answers))) sum += message->number;
    }
    free(messages);
    exchange_free(exchange);
    return sum;
}

int64_t glib_one_way(int rounds, int each) {
    GAsyncQueue *queue = queue_new();
    struct baseline_message *messages = messages_new(each), *message;
    int64_t sum = 0;
    for (int round = 0; round < rounds; round++) {
        for (int number = 0; number < each; number++) {
            messages[number] = (struct baseline_message){.number = number};
            queue_push(queue, &messages[number]);
        }
        while ((message = queue_try_pop(queue))) sum += message->number;
    }
    free(messages);
    queue_unref(queue);
    return sum;
}
