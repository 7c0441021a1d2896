// SPDX-License-Identifier: GPL-3.0-or-later
// Definitions of functions that load a library when one of them is called for the first time. Each has the declaration
// of the library's header, and calls the function of the same name in the library.
// Reasons: docs/decisions/0067-small-program.md.
#ifndef EARSHOT_LOADING_H
#define EARSHOT_LOADING_H
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

// Returns the address of a function of the library with one of the names, which end with NULL; NULL if there is none.
// A second call for the same library returns the same handle.
static inline void *found_function(const char *const names[], const char *function) {
    for (const char *const *name = names; *name; name++) {
        void *library = dlopen(*name, RTLD_NOW | RTLD_LOCAL);
        void *address = library ? dlsym(library, function) : NULL;
        if (address) return address;
    }
    return NULL;
}

// Ends the program with EX_UNAVAILABLE of sysexits.h if there is no such function, as the dynamic loader would at the
// start. A caller gets here only if it ignored that a function with a fallback failed.
static inline void *loaded_function(const char *const names[], const char *function) {
    void *address = found_function(names, function);
    if (address) return address;
    fprintf(stderr, "earshot: cannot load %s: %s is missing\n", names[0], function);
    _Exit(69);
}

// The address of a function, found once; threads that race find the same one. `library_names` is the file's own.
#define ADDRESS_BY(find, name)                                                                                         \
    ({                                                                                                                 \
        static _Atomic(void *) stored;                                                                                 \
        void *address = stored;                                                                                        \
        if (!address) stored = address = find(library_names, #name);                                                   \
        (__typeof__(&name)) address;                                                                                   \
    })
#define ADDRESS(name) ADDRESS_BY(loaded_function, name)
// The label gives the symbol its name; the declaration of the header may differ in a `const` between versions.
#define FORWARD(type, name, parameters, arguments)                                                                     \
    type forwarded_##name parameters __asm__(#name);                                                                   \
    type forwarded_##name parameters { return ADDRESS(name) arguments; }
// The same for a function whose callers handle failures: without the library it returns `fallback`.
#define FORWARD_OR(fallback, type, name, parameters, arguments)                                                        \
    type forwarded_##name parameters __asm__(#name);                                                                   \
    type forwarded_##name parameters {                                                                                 \
        __typeof__(&name) address = ADDRESS_BY(found_function, name);                                                  \
        return address ? address arguments : fallback;                                                                 \
    }
#endif
