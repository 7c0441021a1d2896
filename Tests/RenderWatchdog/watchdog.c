// SPDX-License-Identifier: GPL-3.0-or-later
// Loaded in front of a program (LD_PRELOAD), counts what must not happen while a thread renders: memory allocated or
// given back, locks, waits, and calls into the kernel that read, write or sleep. The program marks the calls
// (RenderMark). What was counted stands, at the end, in the file that EARSHOT_RENDER_WATCHDOG names: marked calls,
// violations, and the first few violations with where they came from.
//
// It does not see what makes no call at all: an atomic operation, and so a Swift Mutex that nobody else holds. The
// annotations of the leaf functions are for those.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

// Of the initial model: others are allocated at their first use.
static __thread int depth __attribute__((tls_model("initial-exec")));
static atomic_long marked, violations;
enum { kept = 8, frames = 32 };
static struct { const char *what; int count; void *frames[frames]; } first[kept];
static atomic_int firsts;

void earshot_render_entered(void) {
    depth++;
    atomic_fetch_add_explicit(&marked, 1, memory_order_relaxed);
}

void earshot_render_left(void) { depth--; }

static void note(const char *what) {
    if (depth == 0) return;
    int const outer = depth;
    depth = 0;
    atomic_fetch_add(&violations, 1);
    int const place = atomic_fetch_add(&firsts, 1);
    if (place < kept) {
        first[place].count = backtrace(first[place].frames, frames);
        first[place].what = what;
    }
    depth = outer;
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

#define WATCH_VERSION(version, result, name, parameters, arguments)                      \
    result name parameters {                                                             \
        static _Atomic(void *) cache;                                                    \
        note(#name);                                                                     \
        return ((result(*) parameters)next(&cache, #name, version)) arguments;           \
    }
#define WATCH(result, name, parameters, arguments) WATCH_VERSION(NULL, result, name, parameters, arguments)

void *malloc(size_t size) { note("malloc"); return __libc_malloc(size); }
void *calloc(size_t count, size_t size) { note("calloc"); return __libc_calloc(count, size); }
void *realloc(void *old, size_t size) { note("realloc"); return __libc_realloc(old, size); }
void free(void *old) { if (old) note("free"); __libc_free(old); }
void *memalign(size_t alignment, size_t size) { note("memalign"); return __libc_memalign(alignment, size); }
void *aligned_alloc(size_t alignment, size_t size) { note("aligned_alloc"); return __libc_memalign(alignment, size); }
int posix_memalign(void **result, size_t alignment, size_t size) {
    note("posix_memalign");
    *result = __libc_memalign(alignment, size);
    return *result ? 0 : ENOMEM;
}

WATCH(void *, mmap, (void *at, size_t size, int how, int flags, int file, off_t from),
      (at, size, how, flags, file, from))
WATCH(int, munmap, (void *at, size_t size), (at, size))
WATCH(int, pthread_mutex_lock, (pthread_mutex_t * lock), (lock))
WATCH(int, pthread_mutex_trylock, (pthread_mutex_t * lock), (lock))
WATCH(int, pthread_rwlock_rdlock, (pthread_rwlock_t * lock), (lock))
WATCH(int, pthread_rwlock_wrlock, (pthread_rwlock_t * lock), (lock))
WATCH(int, pthread_spin_lock, (pthread_spinlock_t * lock), (lock))
WATCH(int, pthread_create, (pthread_t * thread, const pthread_attr_t *how, void *(*run)(void *), void *with),
      (thread, how, run, with))
WATCH(int, pthread_join, (pthread_t thread, void **result), (thread, result))
#ifdef __x86_64__
#define CONDITIONS "GLIBC_2.3.2"
#else
#define CONDITIONS NULL
#endif
WATCH_VERSION(CONDITIONS, int, pthread_cond_wait, (pthread_cond_t * condition, pthread_mutex_t *lock),
              (condition, lock))
WATCH_VERSION(CONDITIONS, int, pthread_cond_timedwait,
              (pthread_cond_t * condition, pthread_mutex_t *lock, const struct timespec *until),
              (condition, lock, until))
WATCH_VERSION(CONDITIONS, int, pthread_cond_signal, (pthread_cond_t * condition), (condition))
WATCH_VERSION(CONDITIONS, int, pthread_cond_broadcast, (pthread_cond_t * condition), (condition))
WATCH(int, sem_wait, (sem_t * semaphore), (semaphore))
WATCH(int, sem_timedwait, (sem_t * semaphore, const struct timespec *until), (semaphore, until))
WATCH(int, sem_post, (sem_t * semaphore), (semaphore))
WATCH(ssize_t, read, (int file, void *into, size_t size), (file, into, size))
WATCH(ssize_t, write, (int file, const void *from, size_t size), (file, from, size))
WATCH(ssize_t, pread, (int file, void *into, size_t size, off_t at), (file, into, size, at))
WATCH(ssize_t, pread64, (int file, void *into, size_t size, off64_t at), (file, into, size, at))
WATCH(ssize_t, pwrite, (int file, const void *from, size_t size, off_t at), (file, from, size, at))
WATCH(ssize_t, pwrite64, (int file, const void *from, size_t size, off64_t at), (file, from, size, at))
WATCH(ssize_t, writev, (int file, const struct iovec *parts, int count), (file, parts, count))
WATCH(int, poll, (struct pollfd * files, nfds_t count, int limit), (files, count, limit))
WATCH(int, nanosleep, (const struct timespec *time, struct timespec *rest), (time, rest))
WATCH(int, usleep, (useconds_t time), (time))
WATCH(int, sched_yield, (void), ())
WATCH(size_t, fwrite, (const void *from, size_t size, size_t count, FILE *file), (from, size, count, file))

int open(const char *path, int flags, ...) {
    static _Atomic(void *) cache;
    va_list rest;
    va_start(rest, flags);
    mode_t const mode = va_arg(rest, mode_t);
    va_end(rest);
    note("open");
    return ((int (*)(const char *, int, ...))next(&cache, "open", NULL))(path, flags, mode);
}

// Swift's Mutex waits here.
long syscall(long number, ...) {
    static _Atomic(void *) cache;
    va_list rest;
    va_start(rest, number);
    long const a = va_arg(rest, long), b = va_arg(rest, long), c = va_arg(rest, long);
    long const d = va_arg(rest, long), e = va_arg(rest, long), f = va_arg(rest, long);
    va_end(rest);
    note("syscall");
    return ((long (*)(long, ...))next(&cache, "syscall", NULL))(number, a, b, c, d, e, f);
}

__attribute__((constructor)) static void begin(void) {
    void *warm[1];
    backtrace(warm, 1); // loads a library the first time
}

__attribute__((destructor)) static void report(void) {
    const char *path = getenv("EARSHOT_RENDER_WATCHDOG");
    FILE *file = path ? fopen(path, "w") : NULL;
    if (!file) return;
    fprintf(file, "marked %ld\nviolations %ld\n", atomic_load(&marked), atomic_load(&violations));
    for (int place = 0; place < kept && place < atomic_load(&firsts); place++) {
        fprintf(file, "in render: %s\n", first[place].what ? first[place].what : "?");
        fflush(file);
        backtrace_symbols_fd(first[place].frames, first[place].count, fileno(file));
    }
    fclose(file);
}
