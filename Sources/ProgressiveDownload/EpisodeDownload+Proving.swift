// SPDX-License-Identifier: GPL-3.0-or-later
import Dispatch
import HTTPTransfer
import Logging
import Media
import Synchronization

/// Comparing what an earlier run held with its hashes, while the transfer goes on.
extension EpisodeDownload {
    private static let proofs = DispatchQueue(label: "earshot.download.proofs", qos: .utility)

    func proveInBackground(_ file: PartialFile) {
        Self.proofs.async { [weak self] in
            do throws(SystemError) {
                var isThereMore = true
                while isThereMore, self != nil { isThereMore = try file.proveNext() }
            } catch {
                self?.logger.info("the journal cannot be renewed", metadata: ["error": "\(error)"])
            }
            self?.reportLost(file)
        }
    }

    /// - Returns: whether blocks were lost.
    @discardableResult
    private func reportLost(_ file: PartialFile) -> Bool {
        let lost = file.takeLost()
        guard !lost.isEmpty else { return false }
        logger.notice("damaged blocks are fetched again", metadata: metadata)
        // The disk queue must not wait for the lock.
        DispatchQueue.global().async { self.handle(.bytesLost(lost), to: file) }
        return true
    }

    /// Gives the file its name, if all of it is right.
    /// - Parameter conditions: what the server said of it.
    func finish(
        _ file: PartialFile, _ holding: Holding, total: Int64, _ conditions: RequestConditions
    ) throws(SystemError) {
        while try file.proveNext() {}
        // The background comparison may have found the damage first: then it reports it.
        guard !reportLost(file), file.extents.contains(0..<total) else { return }
        // What is in memory ends with the process. Another one may go on with what is on disk.
        if file.isOnDisk { return try file.finish(total: total, conditions) }
        if file.fileExtents.isEmpty { try file.discard() } else { try file.save(holding) }
        file.letGo()
    }
}
