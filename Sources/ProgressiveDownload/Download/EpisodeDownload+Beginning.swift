// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import Synchronization

/// Inspecting the first bytes of the file.
extension EpisodeDownload {
    /// Inspects the first bytes before the file is declared complete.
    /// - Returns: The event for the machine if the bytes are not audio; otherwise `nil`.
    func inspect(_ core: inout Core) -> DownloadStateMachine.Event? {
        guard let file = core.file else { return nil }
        do throws(SystemError) {
            let bytes = try readExpectedLength(of: file, &core)
            let isWhole = file.extents.upperBound == Int64(bytes.count)
            return (FirstBytes.fault(in: bytes, isWhole: isWhole) ?? playingFault(of: file)).map { .contentRefused($0) }
        } catch {
            return event(of: error)
        }
    }

    /// Records the length that the file itself declares.
    /// - Returns: The first bytes of the file.
    func readExpectedLength(of file: PartialFile, _ core: inout Core) throws(SystemError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: FirstBytes.enough)
        let count = try bytes.withUnsafeMutableBufferPointer { bytes throws(SystemError) in
            try file.read(at: 0, into: UnsafeMutableRawBufferPointer(bytes))
        }
        bytes.removeSubrange(count...)
        _ = core.machine.handle(.lengthExpected(bytes.withUnsafeBytes(rules.declaredLength)))
        return bytes
    }

    /// Returns the failure that playback of a completely stored file would report; otherwise `nil`.
    private func playingFault(of file: PartialFile) -> MediaFailure? {
        CompletedDownload(file).flatMap(rules.fault)
    }

    /// Inspects the first bytes when a transfer ends that may have delivered the last bytes, then the last ones.
    func inspectEnd() {
        let event = core.withLock { core in
            core.machine.hasOpenEnd ? inspect(&core) ?? core.file.flatMap(statedEnd) : nil
        }
        if let event { handle(event) }
    }

    /// Returns the event for the machine if the container of the stored bytes states where it ends.
    private func statedEnd(of file: PartialFile) -> DownloadStateMachine.Event? {
        guard let stored = CompletedDownload(file) else { return nil }
        switch rules.statedEnd(stored) {
        case .reached?: return .lengthExpected(stored.length)
        case .missing(let missing)?: return .endMissing(missing)
        case nil: return nil
        }
    }
}
