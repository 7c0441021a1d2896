// SPDX-License-Identifier: GPL-3.0-or-later
// The suppressions of the leak check; linked into each program.
//
// Programs do not free memory when they end, and reachable memory is not a leak. But the check does not recognize a
// pointer that stores other data in its spare bits. Memory reachable only through such a pointer counts as leaked:
// - Swift's side table of an object with weak references. The object stores its address shifted by three bits.
// - A part of ArgumentParser's error, which is an enum: the bits store its case.
// - The global tables of ControlProtocol, for the same reason. Globals live as long as the program.
// libsndfile 1.2.0 does not free the memory that libvorbis allocates for a file that cannot be opened, nor, after a
// full disk, that of libvorbis and libogg for a file that cannot be completed. The check still reports a handle that we
// do not close, because libsndfile allocates it.
//
// libcurl 7.88 does not free the name of a host that IDNA refuses. Its handles have owners that cannot be copied.
const char *__lsan_default_suppressions(void) {
    return "leak:formWeakReference\n"
           "leak:libcurl.so\n"
           "leak:14ArgumentParser8InputKeyV\n"
           "leak:15ControlProtocol*_WZ\n"
           "leak:libvorbis\n"
           "leak:libogg\n";
}

// By default the sanitizer handles fatal signals; tests check how the program itself ends.
const char *__asan_default_options(void) { return "handle_segv=0:handle_sigbus=0:handle_abort=0"; }

// Tests compare the output of the program.
const char *__lsan_default_options(void) { return "print_suppressions=0"; }
