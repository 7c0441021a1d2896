// SPDX-License-Identifier: GPL-3.0-or-later
// Tells the leak check what it may pass over; linked into each program.
//
// Nothing is freed when a program ends, and what can still be reached is no leak. But a pointer that carries something
// else in its spare bits is none to the check. What hangs on nothing but such a one counts as leaked:
// - what Swift keeps of an object that was once referred to weakly. The object has its address, shifted by three bits.
// - a part of ArgumentParser's error, which is an enum: the bits say which case it is.
// libsndfile 1.2.0 gives back neither what libvorbis made for a file that cannot be opened nor, after a full disk, what
// it and libogg made for one that cannot be ended. A handle that we do not close is seen still: that is libsndfile's.
const char *__lsan_default_suppressions(void) {
    return "leak:formWeakReference\n"
           "leak:14ArgumentParser8InputKeyV\n"
           "leak:libvorbis\n"
           "leak:libogg\n";
}

// Tests read what the program says.
const char *__lsan_default_options(void) { return "print_suppressions=0"; }
