// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import Synchronization

/// Checking for free disk space.
extension EpisodeDownload {
    func event(of error: SystemError) -> DownloadStateMachine.Event {
        guard error.isFull else { return .storageFailed(error.whileTransferring) }
        return .diskFull(reason: reserve.complaint(calls.space(location.directory), at: location.directory, needs: nil))
    }

    /// Continues in memory if the audio is needed rather than the file.
    func overflows(_ file: PartialFile) -> Bool {
        guard purpose == .playing else { return false }
        file.overflow()
        return true
    }

    /// Checks, after a head was accepted, that all remaining bytes fit on the disk. The length is only declared, so
    /// no space is allocated.
    func checkSpace(for generation: Int) {
        let missing = core.withLock { core in
            core.machine.offset(of: generation) == nil ? nil : core.machine.missing
        }
        guard let missing, let full = spaceShortage(for: purpose == .playing ? 0 : missing) else { return }
        if core.withLock({ $0.file.map(overflows) }) != true { handle(full) }
    }

    func spaceShortage(for count: Int64) -> DownloadStateMachine.Event? {
        guard let space = calls.space(location.directory), !reserve.allows(count, in: space) else { return nil }
        return .diskFull(reason: reserve.complaint(space, at: location.directory, needs: count))
    }

    func look(_ generation: Int, _ gap: ByteRange?, _ core: Core) -> DownloadStateMachine.Event {
        if let space = calls.space(location.directory), !reserve.allowsAgain(core.machine.missing, in: space) {
            return .diskSpaceChecked(generation, isThere: false)
        }
        do throws(SystemError) {
            // Quotas and limits do not appear in the free space.
            if let file = core.file, let gap { try file.probeSpace(in: gap) }
            return .diskSpaceChecked(generation, isThere: true)
        } catch {
            return error.isFull ? .diskSpaceChecked(generation, isThere: false) : event(of: error)
        }
    }
}
