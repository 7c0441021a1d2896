// SPDX-License-Identifier: GPL-3.0-or-later
import CProcessMemory

/// The memory of a program that runs for hours or weeks.
package enum ProcessMemory {
    /// One for the first thread, and one for all others.
    private static let mostArenas: CInt = 2

    /// Limits the arenas of malloc. Without a limit there are eight for each processor, and each keeps what its threads
    /// have freed. Must be called before another thread exists: an arena that has a thread remains.
    package static func limitArenas() { mallopt(M_ARENA_MAX, mostArenas) }

    /// Returns freed memory to the system.
    static func trim() { malloc_trim(0) }

    /// Does the same, and unmaps the code that has run so far: at rest, a service needs little of it. Only for a
    /// service that does not play: the rendering thread would map its code again while it has to be in time.
    static func release() {
        trim()
        earshot_unmap_code()
    }
}
