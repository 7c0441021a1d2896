// SPDX-License-Identifier: GPL-3.0-or-later
// Loaded in front of a program (LD_PRELOAD), delays some of its calls, so that threads and processes interleave as on a
// busy machine. A test that fails under it has a race, or the program has. Scripts/sanitize delays uses it.
//
// EARSHOT_DELAYS_SEED seeds the generator of each thread. A delay takes 1 to 40 ms, rarely 400 ms. A thread is quick or
// slow for 256 calls, then draws again. EARSHOT_DELAYS_PROGRAM names a program that is delayed, too, when a
// test starts it. Other programs are not, but they load this library, so that a shell or tmux passes it on.
//
// Delays do not happen while a thread renders, nor inside the C library's own calls.
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

// Of the initial model: others are allocated at their first use.
#define PER_THREAD static __thread __attribute__((tls_model("initial-exec")))
PER_THREAD uint64_t state;
PER_THREAD unsigned calls, period;
PER_THREAD int rendering;
static uint64_t seed;
static atomic_ullong threads;
static atomic_bool ready;

void earshot_render_entered(void) { rendering++; }
void earshot_render_left(void) { rendering--; }

// xorshift64*
static uint64_t draw(void) {
    if (!state) state = (seed + 1) * 0x9E3779B97F4A7C15u ^ (atomic_fetch_add(&threads, 1) + 1) * 0xD1B54A32D192ED03u;
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return state * 0x2545F4914F6CDD1Du >> 16;
}

static void pause_for(unsigned milliseconds) {
    struct timespec const time = {milliseconds / 1000, milliseconds % 1000 * 1000000};
    int const kept = errno;
    clock_nanosleep(CLOCK_MONOTONIC, 0, &time, NULL);
    errno = kept;
}

// Delays about one call in `weight` times the current period of the thread.
static void delay(unsigned weight) {
    if (rendering || !atomic_load_explicit(&ready, memory_order_relaxed)) return;
    if (calls-- == 0) {
        static const unsigned periods[] = {32, 128, 128, 1024};
        period = periods[draw() % 4];
        calls = 256;
    }
    if (draw() % (period * weight)) return;
    uint64_t const kind = draw() % 64;
    pause_for(kind == 0 ? 400 : 1 + draw() % 40);
}

// The next definition of a name, looked up once. `version` where the oldest one is not what programs are linked to.
static void *next(_Atomic(void *) *cache, const char *name, const char *version) {
    void *found = atomic_load_explicit(cache, memory_order_relaxed);
    if (found) return found;
    found = version ? dlvsym(RTLD_NEXT, name, version) : NULL;
    if (!found) found = dlsym(RTLD_NEXT, name);
    atomic_store_explicit(cache, found, memory_order_relaxed);
    return found;
}

// Delays a call before it and after it: after a wait, the thread wakes late.
#define DELAY_VERSION(version, weight, result, name, parameters, arguments)              \
    result name parameters {                                                             \
        static _Atomic(void *) cache;                                                    \
        delay(weight);                                                                   \
        result const value = ((result(*) parameters)next(&cache, #name, version)) arguments; \
        delay(weight);                                                                   \
        return value;                                                                    \
    }
#define DELAY(weight, result, name, parameters, arguments) \
    DELAY_VERSION(NULL, weight, result, name, parameters, arguments)

#ifdef __x86_64__
#define CONDITIONS "GLIBC_2.3.2"
#else
#define CONDITIONS NULL
#endif

// Files.
DELAY(1, int, rename, (const char *old, const char *new), (old, new))
DELAY(1, int, unlink, (const char *path), (path))
DELAY(1, int, stat, (const char *restrict path, struct stat *restrict into), (path, into))
DELAY(1, int, lstat, (const char *restrict path, struct stat *restrict into), (path, into))
DELAY(1, int, fstat, (int file, struct stat *into), (file, into))
DELAY(1, int, mkdir, (const char *path, mode_t mode), (path, mode))
DELAY(1, DIR *, opendir, (const char *path), (path))
DELAY(1, int, flock, (int file, int how), (file, how))
DELAY(1, int, ftruncate, (int file, off_t size), (file, size))
DELAY(1, int, fsync, (int file), (file))
DELAY(1, int, fdatasync, (int file), (file))
DELAY(1, int, close, (int file), (file))
DELAY(4, ssize_t, read, (int file, void *into, size_t size), (file, into, size))
DELAY(4, ssize_t, write, (int file, const void *from, size_t size), (file, from, size))
DELAY(4, ssize_t, pread, (int file, void *into, size_t size, off_t at), (file, into, size, at))
DELAY(4, ssize_t, pwrite, (int file, const void *from, size_t size, off_t at), (file, from, size, at))
DELAY(4, ssize_t, pread64, (int file, void *into, size_t size, off64_t at), (file, into, size, at))
DELAY(4, ssize_t, pwrite64, (int file, const void *from, size_t size, off64_t at), (file, from, size, at))
DELAY(4, ssize_t, writev, (int file, const struct iovec *parts, int count), (file, parts, count))

// Sockets and waits.
DELAY(1, int, poll, (struct pollfd * files, nfds_t count, int limit), (files, count, limit))
DELAY(1, int, epoll_wait, (int poller, struct epoll_event *into, int most, int limit), (poller, into, most, limit))
DELAY(1, int, connect, (int socket, const struct sockaddr *to, socklen_t size), (socket, to, size))
DELAY(1, int, accept, (int socket, struct sockaddr *restrict from, socklen_t *restrict size), (socket, from, size))
DELAY(1, int, accept4, (int socket, struct sockaddr *restrict from, socklen_t *restrict size, int how),
      (socket, from, size, how))
DELAY(2, ssize_t, recv, (int socket, void *into, size_t size, int how), (socket, into, size, how))
DELAY(2, ssize_t, send, (int socket, const void *from, size_t size, int how), (socket, from, size, how))
DELAY(2, ssize_t, recvmsg, (int socket, struct msghdr *message, int how), (socket, message, how))
DELAY(2, ssize_t, sendmsg, (int socket, const struct msghdr *message, int how), (socket, message, how))

// Threads.
DELAY(16, int, pthread_mutex_lock, (pthread_mutex_t * lock), (lock))
DELAY_VERSION(CONDITIONS, 2, int, pthread_cond_wait, (pthread_cond_t * condition, pthread_mutex_t *lock),
              (condition, lock))
DELAY_VERSION(CONDITIONS, 2, int, pthread_cond_timedwait,
              (pthread_cond_t * condition, pthread_mutex_t *lock, const struct timespec *until),
              (condition, lock, until))
DELAY(2, int, sem_wait, (sem_t * semaphore), (semaphore))
DELAY(2, int, sem_timedwait, (sem_t * semaphore, const struct timespec *until), (semaphore, until))
DELAY(4, int, sem_post, (sem_t * semaphore), (semaphore))

#define OPEN(name, parameters, arguments)                                                \
    int name parameters {                                                                \
        static _Atomic(void *) cache;                                                    \
        va_list rest;                                                                    \
        va_start(rest, flags);                                                           \
        mode_t const mode = va_arg(rest, mode_t);                                        \
        va_end(rest);                                                                    \
        delay(1);                                                                        \
        int const file = ((__typeof__(name) *)next(&cache, #name, NULL)) arguments;     \
        delay(1);                                                                        \
        return file;                                                                     \
    }
OPEN(open, (const char *path, int flags, ...), (path, flags, mode))
OPEN(open64, (const char *path, int flags, ...), (path, flags, mode))
OPEN(openat, (int folder, const char *path, int flags, ...), (folder, path, flags, mode))

// Swift's Mutex and dispatch wait here.
long syscall(long number, ...) {
    static _Atomic(void *) cache;
    va_list rest;
    va_start(rest, number);
    long const a = va_arg(rest, long), b = va_arg(rest, long), c = va_arg(rest, long);
    long const d = va_arg(rest, long), e = va_arg(rest, long), f = va_arg(rest, long);
    va_end(rest);
    delay(4);
    long const value = ((long (*)(long, ...))next(&cache, "syscall", NULL))(number, a, b, c, d, e, f);
    if (number == SYS_futex) delay(4);
    return value;
}

// A new thread starts late in one case of four.
struct beginning { void *(*run)(void *); void *with; };

static void *begin(void *given) {
    struct beginning const beginning = *(struct beginning *)given;
    free(given);
    if (draw() % 4 == 0) pause_for(1 + draw() % 40);
    return beginning.run(beginning.with);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *how, void *(*run)(void *), void *with) {
    static _Atomic(void *) cache;
    int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) =
        next(&cache, "pthread_create", NULL);
    struct beginning *beginning = malloc(sizeof *beginning);
    if (!beginning) return EAGAIN;
    *beginning = (struct beginning){run, with};
    int const result = create(thread, how, begin, beginning);
    if (result) free(beginning);
    delay(1);
    return result;
}

// Programs that tests start.
static char preload[4096], seeding[64], carrying[256];
static const char *program;

#define SPAWN(name)                                                                      \
    int name(pid_t *restrict child, const char *restrict path,                           \
             const posix_spawn_file_actions_t *restrict files,                           \
             const posix_spawnattr_t *restrict how, char *const *restrict words,         \
             char *const *restrict environment) {                                        \
        static _Atomic(void *) cache;                                                    \
        size_t count = 0;                                                                \
        int is_free = 1;                                                                  \
        for (; environment[count]; count++)                                              \
            if (strncmp(environment[count], "LD_PRELOAD=", 11) == 0) is_free = 0;         \
        char *settings[count + 4];                                                       \
        memcpy(settings, environment, count * sizeof *settings);                         \
        if (is_free && program) {                                                        \
            settings[count++] = preload;                                                 \
            settings[count++] = seeding;                                                 \
            settings[count++] = carrying;                                                \
        }                                                                                \
        settings[count] = NULL;                                                          \
        delay(1);                                                                        \
        int const result = ((__typeof__(name) *)next(&cache, #name, NULL))(child, path, files, how, words, settings); \
        delay(1);                                                                        \
        return result;                                                                   \
    }
SPAWN(posix_spawn)
SPAWN(posix_spawnp)

// True in a program that only passes the delays on to those that it starts.
static int is_carrier(const char *delayed) {
    // The program starts further runs of its own as /proc/self/exe.
    return delayed && strcmp(program_invocation_short_name, delayed) != 0 &&
           strcmp(program_invocation_short_name, "exe") != 0;
}

// Other children do not inherit the delays through the environment.
__attribute__((constructor)) static void start(void) {
    const char *given = getenv("EARSHOT_DELAYS_SEED");
    seed = given ? strtoull(given, NULL, 10) : 0;
    if (is_carrier(getenv("EARSHOT_DELAYS_CARRIED"))) return;
    program = getenv("EARSHOT_DELAYS_PROGRAM");
    if (!program) program = getenv("EARSHOT_DELAYS_CARRIED");
    Dl_info self;
    if (dladdr((void *)start, &self)) snprintf(preload, sizeof preload, "LD_PRELOAD=%s", self.dli_fname);
    snprintf(seeding, sizeof seeding, "EARSHOT_DELAYS_SEED=%llu", (unsigned long long)seed);
    snprintf(carrying, sizeof carrying, "EARSHOT_DELAYS_CARRIED=%s", program ? program : "");
    unsetenv("LD_PRELOAD");
    atomic_store(&ready, 1);
}
