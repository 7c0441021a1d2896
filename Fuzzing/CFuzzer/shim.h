// SPDX-License-Identifier: GPL-3.0-or-later
// libFuzzer's loop, for a program with its own main function (compiler-rt, fuzzer_no_main).
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*callback)(const uint8_t *bytes, size_t count));
