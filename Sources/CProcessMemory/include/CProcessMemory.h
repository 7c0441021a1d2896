// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef EARSHOT_PROCESS_MEMORY_H
#define EARSHOT_PROCESS_MEMORY_H
#include <malloc.h>

/// Unmaps the pages of the code and the constants of the program and its libraries. They stay in the page cache, and
/// each is mapped again when it is used.
void earshot_unmap_code(void);

#endif
