// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import Synchronization

/// What the first bytes of the file say of all of it.
extension EpisodeDownload {
    /// Looks at them before the file is called whole.
    /// - Returns: what the machine must know, where they are no audio.
    func inspect(_ core: inout Core) -> DownloadStateMachine.Event? {
        guard let file = core.file else { return nil }
        do throws(SystemError) {
            let bytes = try readPromise(of: file, &core)
            let isWhole = file.extents.upperBound == Int64(bytes.count)
            return (FirstBytes.fault(in: bytes, isWhole: isWhole) ?? playingFault(of: file)).map { .contentRefused($0) }
        } catch {
            return event(of: error)
        }
    }

    /// Notes the length that the file itself promises.
    /// - Returns: its first bytes.
    func readPromise(of file: PartialFile, _ core: inout Core) throws(SystemError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: FirstBytes.enough)
        let count = try bytes.withUnsafeMutableBufferPointer { bytes throws(SystemError) in
            try file.read(at: 0, into: UnsafeMutableRawBufferPointer(bytes))
        }
        bytes.removeSubrange(count...)
        _ = core.machine.handle(.promised(bytes.withUnsafeBytes(promise)))
        return bytes
    }

    /// What playing would say of a file all of which is there.
    private func playingFault(of file: PartialFile) -> MediaFailure? {
        guard let end = file.extents.upperBound, file.extents.contains(0..<end) else { return nil }
        return check(WholeBytes(file, length: end))
    }

    /// A transfer has ended that may have brought the last bytes.
    func inspectEnd() {
        let event = core.withLock { core in core.machine.hasOpenEnd ? inspect(&core) : nil }
        if let event { handle(event) }
    }
}
