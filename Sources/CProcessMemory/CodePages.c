// SPDX-License-Identifier: GPL-3.0-or-later
#define _GNU_SOURCE
#include "CProcessMemory.h"
#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

static int unmap_object(struct dl_phdr_info *object, size_t size, void *unused)
{
    (void)size;
    (void)unused;
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    for (int index = 0; index < object->dlpi_phnum; index++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[index];
        // A writable segment has pages that differ from the file. The vDSO has no file; the kernel refuses it.
        if (segment->p_type != PT_LOAD || (segment->p_flags & PF_W) != 0)
            continue;
        uintptr_t first = (object->dlpi_addr + segment->p_vaddr) & ~(page - 1);
        uintptr_t end = (object->dlpi_addr + segment->p_vaddr + segment->p_filesz + page - 1) & ~(page - 1);
        madvise((void *)first, end - first, MADV_DONTNEED);
    }
    return 0;
}

void earshot_unmap_code(void)
{
    dl_iterate_phdr(unmap_object, NULL);
}
