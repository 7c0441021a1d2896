// SPDX-License-Identifier: GPL-3.0-or-later
import Dispatch
import Glibc
import Media
import Synchronization

/// Checking for free disk space.
extension EpisodeDownload {
    func event(of error: SystemError) -> DownloadStateMachine.Event {
        guard error.isFull else { return .storageFailed(error.whileTransferring) }
        // A quota and a limit of the file size do not appear in the free space.
        return spaceShortage(for: 0)
            ?? .diskFull(reason: "\(error.whileTransferring.reason): \(location.directory)")
    }

    /// Returns the event that no more bytes fit into the memory. Freed space helps only if the file lacks it.
    func memoryIsFull(_ file: PartialFile) -> DownloadStateMachine.Event {
        guard !file.waitsForSpace else {
            return .diskFull(reason: "the memory for bytes that do not fit on the disk is full: \(location.directory)")
        }
        let reason = file.unsavedReason.map { ": \($0)" } ?? ""
        return .storageFailed(
            MediaFailure(.inputOutput, "the memory for bytes that cannot be stored on the disk is full\(reason)"))
    }

    /// Continues in memory if the audio is needed rather than the file.
    /// - Parameter error: the error of the file.
    func overflows(_ file: PartialFile, because error: SystemError = SystemError("pwrite", code: ENOSPC)) -> Bool {
        guard purpose == .playing else { return false }
        file.overflow(because: error)
        return true
    }

    /// Checks, after a head was accepted, that all remaining bytes fit on the disk. The length is only declared, so
    /// no space is allocated.
    func checkSpace(for generation: Int) {
        let missing = core.withLock { core in
            core.machine.offset(of: generation) == nil ? nil : core.machine.missing
        }
        guard let missing, let full = spaceShortage(for: purpose == .playing ? 0 : missing) else { return }
        if core.withLock({ $0.file.map { overflows($0) } }) != true { handle(full) }
    }

    func spaceShortage(for count: Int64) -> DownloadStateMachine.Event? {
        guard let space = calls.space(location.directory), !reserve.allows(count, in: space) else { return nil }
        return .diskFull(reason: reserve.complaint(space, at: location.directory, needs: count))
    }

    /// Checks whether a held download may resume.
    /// - Returns: `nil` while bytes move from the memory to the file; the result is an event then.
    func look(_ generation: Int, _ gap: ByteRange?, _ core: Core) -> DownloadStateMachine.Event? {
        let inMemory = core.file?.memoryCount
        // The memory can store as many bytes again once these are in the file.
        let needed = max(core.machine.missing, inMemory ?? 0)
        if let space = calls.space(location.directory), !reserve.allowsAgain(needed, in: space) {
            return .diskSpaceChecked(generation, isThere: false)
        }
        if let file = core.file, inMemory != nil {
            leaveMemory(file, core.machine.stored, generation, gap)
            return nil
        }
        return checked(generation) { () throws(SystemError) in try core.file?.probeSpace(in: gap) }
    }

    private func leaveMemory(_ file: PartialFile, _ stored: StoredContent, _ generation: Int, _ gap: ByteRange?) {
        disk.async { [self] in
            // An earlier check may have moved the bytes; then a transfer may already store further ones.
            guard file.memoryCount != nil else { return }
            let event = checked(generation) { () throws(SystemError) in
                try file.probeSpace(in: gap)
                try file.leaveMemory()
                try file.save(stored)
            }
            report(event, to: file)
        }
    }

    private func checked(
        _ generation: Int, _ work: () throws(SystemError) -> Void
    ) -> DownloadStateMachine.Event {
        do throws(SystemError) {
            try work()
            return .diskSpaceChecked(generation, isThere: true)
        } catch {
            return error.isFull ? .diskSpaceChecked(generation, isThere: false) : event(of: error)
        }
    }
}
