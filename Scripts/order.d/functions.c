// SPDX-License-Identifier: GPL-3.0-or-later
// Prints the functions that a program enters, in the order of their first calls, for Scripts/order:
//   functions LIST SECONDS PROGRAM ARGUMENT...
// LIST has one function per line, an address in the file in hexadecimal digits and a name, sorted by address. Each
// function begins with a breakpoint (INT3 of x86-64), which is removed when a thread arrives there.
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

struct function {
    uint64_t address;
    char *name;
    uint8_t first_byte;
    int was_called;
};

static const uint8_t breakpoint = 0xCC;
static struct function *functions;
static size_t count;
static int memory;
static uint64_t base;
static pid_t process;

static void stop(const char *what) {
    perror(what);
    exit(71);
}

static void read_list(const char *path) {
    FILE *list = fopen(path, "r");
    if (!list) stop(path);
    char *line = NULL;
    size_t size = 0, capacity = 0;
    while (getline(&line, &size, list) > 0) {
        char *name;
        uint64_t address = strtoull(line, &name, 16);
        // Several names can have one address.
        if (count && functions[count - 1].address == address) continue;
        if (count == capacity) {
            capacity = capacity * 2 + 4096;
            functions = realloc(functions, capacity * sizeof *functions);
            if (!functions) stop("realloc");
        }
        name[strcspn(name, "\n")] = 0;
        functions[count++] = (struct function){.address = address, .name = strdup(name + 1)};
    }
    fclose(list);
}

// Finds the address at which the kernel has placed the program.
static void find_base(const char *program) {
    char path[64], *line = NULL, *real = realpath(program, NULL);
    size_t size = 0;
    snprintf(path, sizeof path, "/proc/%d/maps", process);
    FILE *maps = fopen(path, "r");
    if (!maps || !real) stop(program);
    while (!base && getline(&line, &size, maps) > 0)
        if (strstr(line, real)) base = strtoull(line, NULL, 16);
    fclose(maps);
}

static void set_breakpoints(void) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/mem", process);
    memory = open(path, O_RDWR | O_CLOEXEC);
    for (size_t index = 0; index < count; index++) {
        off_t place = base + functions[index].address;
        if (pread(memory, &functions[index].first_byte, 1, place) != 1) stop(functions[index].name);
        if (pwrite(memory, &breakpoint, 1, place) != 1) stop(functions[index].name);
    }
}

static int compare(const void *address, const void *function) {
    uint64_t first = *(const uint64_t *)address, second = ((const struct function *)function)->address;
    return first < second ? -1 : first > second;
}

// Continues a thread that stands after a breakpoint at the function's first instruction. Another thread may have
// removed the breakpoint in the meantime.
static int arrived(pid_t thread) {
    struct user_regs_struct registers;
    if (ptrace(PTRACE_GETREGS, thread, 0, &registers)) return 0;
    uint64_t address = registers.rip - 1 - base;
    struct function *function = bsearch(&address, functions, count, sizeof *functions, compare);
    if (!function) return 0;
    if (!function->was_called) {
        function->was_called = 1;
        if (pwrite(memory, &function->first_byte, 1, base + address) != 1) stop(function->name);
        puts(function->name);
    }
    registers.rip--;
    ptrace(PTRACE_SETREGS, thread, 0, &registers);
    return 1;
}

static void end_program(int signal) { kill(process, SIGTERM); }

static void follow(void) {
    int status;
    for (pid_t thread; (thread = waitpid(-1, &status, __WALL)) > 0;) {
        if (!WIFSTOPPED(status)) {
            if (thread == process) return;
            continue;
        }
        int signal = WSTOPSIG(status), is_event = status >> 16;
        // A new thread begins with SIGSTOP.
        int is_ours = is_event || signal == SIGSTOP || (signal == SIGTRAP && arrived(thread));
        ptrace(PTRACE_CONT, thread, 0, (void *)(long)(is_ours ? 0 : signal));
    }
}

int main(int argument_count, char **arguments) {
    if (argument_count < 4) {
        fputs("usage: functions LIST SECONDS PROGRAM ARGUMENT...\n", stderr);
        return 64;
    }
    read_list(arguments[1]);
    process = fork();
    if (process == 0) {
        // Standard output is the list.
        int nothing = open("/dev/null", O_WRONLY);
        dup2(nothing, STDOUT_FILENO);
        ptrace(PTRACE_TRACEME, 0, 0, 0);
        execv(arguments[3], arguments + 3);
        stop(arguments[3]);
    }
    int status;
    if (process < 0 || waitpid(process, &status, 0) != process || !WIFSTOPPED(status)) stop(arguments[3]);
    ptrace(PTRACE_SETOPTIONS, process, 0, PTRACE_O_TRACECLONE | PTRACE_O_EXITKILL);
    find_base(arguments[3]);
    set_breakpoints();
    signal(SIGALRM, end_program);
    alarm(atoi(arguments[2]));
    ptrace(PTRACE_CONT, process, 0, 0);
    follow();
    return 0;
}
