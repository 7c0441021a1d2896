// SPDX-License-Identifier: GPL-3.0-or-later
// The suppressions of the leak check; linked into each program.
//
// Memory that is reachable when a program ends is not a leak. But the check does not recognise pointers with other data
// in their spare bits, and memory that only such a pointer references counts as leaked:
// - Swift's side table of an object that was referenced weakly. The object stores its address, shifted by three bits.
// - A part of ArgumentParser's error, an enum whose spare bits store the case.
// libsndfile 1.2.0 does not free memory of libvorbis for a file that cannot be opened, nor memory of libvorbis and
// libogg for a file that cannot be completed on a full disk. An unclosed handle of ours is still found, because
// libsndfile allocates it.
const char *__lsan_default_suppressions(void) {
    return "leak:formWeakReference\n"
           "leak:14ArgumentParser8InputKeyV\n"
           "leak:libvorbis\n"
           "leak:libogg\n";
}

// Tests read the output of the program.
const char *__lsan_default_options(void) { return "print_suppressions=0"; }
