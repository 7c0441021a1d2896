// SPDX-License-Identifier: GPL-3.0-or-later
import Dispatch
import Glibc
import Logging
import Media
import Synchronization

/// Writes the record of a service to its state file, one after the other, and only the newest.
final class DeckJournal: Sendable {
    /// Of several states in a short time, the last one is written.
    private let next = Mutex<DeckRecord?>(nil)
    private let queue = DispatchQueue(label: "earshot.deck")
    private let file: StateFile
    private let logger: Logger
    /// The reason why the last record could not be written; `nil` if it was written.
    private let failure = Mutex<String?>(nil)

    init(_ logger: Logger, _ file: StateFile = CompositionRoot.deckFile) { (self.file, self.logger) = (file, logger) }

    func read() -> DeckRecord { DeckRecord(parsing: file.read()) }

    func write(_ record: DeckRecord) {
        next.withLock { $0 = record }
        queue.async { [self] in flush() }
    }

    /// Waits until the last record is on the disk.
    func finish() async {
        await withCheckedContinuation { continuation in
            queue.async { [self] in
                flush()
                continuation.resume()
            }
        }
    }

    private func flush() {
        guard let record = next.withLock({ $0.take() }) else { return }
        do throws(MediaFailure) {
            try file.write(record.text)
            failure.withLock { $0 = nil }
        } catch {
            report(error.reason)
        }
    }

    /// Reports a reason once: records are written each second.
    private func report(_ reason: String) {
        let isNew = failure.withLock { last in
            defer { last = reason }
            return last != reason
        }
        if isNew { logger.warning("what is playing cannot be stored", metadata: ["reason": "\(reason)"]) }
    }

    /// The identity of the running system. Source: random(4), boot_id.
    static let boot: String = {
        let descriptor = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return "" }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(0, count)).prefix { $0 != 0x0A }, as: UTF8.self)
    }()
}
