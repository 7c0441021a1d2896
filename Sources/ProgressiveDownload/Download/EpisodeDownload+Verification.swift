// SPDX-License-Identifier: GPL-3.0-or-later
import Dispatch
import HTTPTransfer
import Logging
import Media
import Synchronization

/// Verifying the content of an earlier run against its hashes while the transfer continues.
extension EpisodeDownload {
    private static let proofs = DispatchQueue(label: "earshot.download.proofs", qos: .utility)

    func proveInBackground(_ file: PartialFile) {
        Self.proofs.async { [weak self] in
            do throws(SystemError) {
                var isThereMore = true
                while isThereMore, self != nil { isThereMore = try file.proveNext() }
            } catch {
                self?.logger.info("cannot rewrite the journal", metadata: ["error": "\(error)"])
            }
            self?.reportLost(file)
        }
    }

    /// Verifies the remaining blocks and reports the damaged ones. `cancel` interrupts it.
    func verify(_ file: PartialFile) throws(SystemError) {
        defer { reportLost(file) }
        while !isCancelled.load(ordering: .relaxed), try file.proveNext() {}
    }

    /// Reports the damaged blocks to the machine.
    /// - Returns: True if blocks were lost.
    @discardableResult
    private func reportLost(_ file: PartialFile) -> Bool {
        let lost = file.removeLostRanges()
        guard !lost.isEmpty else { return false }
        logger.notice("downloading damaged blocks again", metadata: metadata)
        report(.bytesLost(lost), to: file)
        return true
    }

    /// Waits until the file of a complete download has its final name.
    func waitForFile() {
        waitForQueuedEvents()
        disk.sync {}
    }

    /// Renames the file to its final name if all of its bytes are verified. `cancel` interrupts the verification, which
    /// may take minutes on a slow disk; it continues when the episode is opened again.
    /// - Parameter conditions: The validators that the server sent for it.
    func finish(
        _ file: PartialFile, _ stored: StoredContent, total: Int64, _ conditions: RequestConditions
    ) throws(SystemError) {
        while try file.proveNext() {
            guard isCancelled.load(ordering: .relaxed) else { continue }
            return try release(file, stored)
        }
        // The background comparison may have found the damage first: then it reports it.
        guard !reportLost(file), file.extents.contains(0..<total) else { return }
        // Bytes in memory are lost when the process ends. Another process may continue the content on disk.
        guard file.isOnDisk, try name(file, total: total, conditions) else { return try release(file, stored) }
        _ = location.finalized()
    }

    /// Renames a whole file to its final name.
    /// - Returns: `false` if the file cannot be renamed and is only played.
    private func name(
        _ file: PartialFile, total: Int64, _ conditions: RequestConditions
    ) throws(SystemError) -> Bool {
        do throws(SystemError) {
            try file.finish(total: total, conditions)
            return true
        } catch where purpose == .playing && error.preventsWriting && location.presence != .complete {
            logger.info("\(error.phrase)", metadata: metadata)
            file.keepUnnamed(because: error)
            return false
        }
    }

    /// Saves the part on the disk and releases a file that does not get its final name now.
    private func release(_ file: PartialFile, _ stored: StoredContent) throws(SystemError) {
        try ifWritable(file) { () throws(SystemError) in
            if file.fileExtents.isEmpty { try file.discard() } else { try file.save(stored) }
        }
        file.releaseLock()
    }
}
