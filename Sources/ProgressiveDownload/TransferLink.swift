// SPDX-License-Identifier: GPL-3.0-or-later
import HTTPTransfer

/// One transfer of a download: passes on what comes, under the generation it was started for. The transport's own
/// name for the transfer will not do, because the first call may come before that is known.
final class TransferLink: TransferReceiver {
    private let download: EpisodeDownload
    private let generation: Int

    init(download: EpisodeDownload, generation: Int) {
        self.download = download
        self.generation = generation
    }

    func receivedHead(_ head: ResponseHead, of id: TransferID) -> BodyDecision {
        download.receivedHead(head, of: generation)
    }

    func receivedBody(_ bytes: UnsafeRawBufferPointer, of id: TransferID) -> BodyDecision {
        download.receivedBody(bytes, of: generation)
    }

    func finished(_ outcome: TransferOutcome, of id: TransferID) { download.finished(outcome, of: generation) }
}
