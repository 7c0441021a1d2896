// SPDX-License-Identifier: GPL-3.0-or-later
import HTTPTransfer

/// The receiver of one transfer of a download, which forwards events with the generation of the transfer. The
/// transport's identifier cannot be used, because the first call may come before it is known.
final class DownloadReceiver: TransferReceiver {
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
