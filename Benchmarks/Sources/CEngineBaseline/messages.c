// SPDX-License-Identifier: GPL-3.0-or-later
#include "messages.h"
#include "ring.h"
#include <pthread.h>
#include <unistd.h>

_Static_assert(sizeof(struct baseline_message) == message_size, "a message of another size than the ring's");

typedef void (*performer)(const struct baseline_message *request, struct baseline_message *answer);
typedef void (*receiver)(void *context, const struct baseline_message *message);

struct baseline_exchange {
    struct ring requests, answers;
    performer perform;
    atomic_bool is_done;
    pthread_t thread;
};

static void echo(const struct baseline_message *request, struct baseline_message *answer) { *answer = *request; }

static void add(void *sum, const struct baseline_message *message) { *(int64_t *)sum += message->number; }

// Volatile, so that the compiler cannot inline the calls: `MessageExchange` receives its functions from outside, too.
static performer volatile const given_performer = echo;
static receiver volatile const given_receiver = add;

static struct baseline_exchange *exchange_new(void) {
    struct baseline_exchange *exchange = aligned_alloc(_Alignof(struct baseline_exchange), sizeof *exchange);
    if (!exchange) abort();
    ring_init(&exchange->requests, 1024);
    ring_init(&exchange->answers, 1024);
    exchange->perform = given_performer;
    atomic_init(&exchange->is_done, false);
    return exchange;
}

static void exchange_free(struct baseline_exchange *exchange) {
    ring_free(&exchange->requests);
    ring_free(&exchange->answers);
    free(exchange);
}

static void perform_all(struct baseline_exchange *exchange) {
    struct baseline_message request, answer;
    while (ring_pop(&exchange->requests, &request)) {
        exchange->perform(&request, &answer);
        ring_push(&exchange->answers, &answer);
    }
}

static void tell_all(struct ring *ring, receiver receive, void *context) {
    struct baseline_message message;
    while (ring_pop(ring, &message)) receive(context, &message);
}

static void *render(void *context) {
    struct baseline_exchange *exchange = context;
    while (!atomic_load_explicit(&exchange->is_done, memory_order_acquire)) {
        perform_all(exchange);
        usleep(1000);
    }
    return NULL;
}

struct baseline_exchange *baseline_exchange_start(void) {
    struct baseline_exchange *exchange = exchange_new();
    if (pthread_create(&exchange->thread, NULL, render, exchange) != 0) abort();
    return exchange;
}

int64_t baseline_exchange_trip(struct baseline_exchange *exchange, int64_t number) {
    struct baseline_message message = {.number = number};
    ring_push(&exchange->requests, &message);
    while (!ring_pop(&exchange->answers, &message)) usleep(200);
    return message.number;
}

void baseline_exchange_stop(struct baseline_exchange *exchange) {
    atomic_store_explicit(&exchange->is_done, true, memory_order_release);
    pthread_join(exchange->thread, NULL);
    exchange_free(exchange);
}

int64_t baseline_unwaited(int rounds, int each) {
    struct baseline_exchange *exchange = exchange_new();
    int64_t sum = 0;
    for (int round = 0; round < rounds; round++) {
        for (int number = 0; number < each; number++) {
            ring_push(&exchange->requests, &(struct baseline_message){.number = number});
        }
        perform_all(exchange);
        tell_all(&exchange->answers, given_receiver, &sum);
    }
    exchange_free(exchange);
    return sum;
}

int64_t baseline_one_way(int rounds, int each) {
    struct ring ring;
    ring_init(&ring, 1024);
    int64_t sum = 0;
    for (int round = 0; round < rounds; round++) {
        for (int number = 0; number < each; number++) {
            ring_push(&ring, &(struct baseline_message){.number = number});
        }
        tell_all(&ring, given_receiver, &sum);
    }
    ring_free(&ring);
    return sum;
}
