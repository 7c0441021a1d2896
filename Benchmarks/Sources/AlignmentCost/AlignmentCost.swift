// SPDX-License-Identifier: GPL-3.0-or-later
import MPEGAudio
import Measuring

/// Measures the cost of recognizing an episode with different advertisements: `AlignmentCost SEED FILE`.
///
/// Prints a JSON object: the time to hash the file's packets, and the time and memory to align two versions of three
/// hours with six breaks, in one call and while the new version arrives.
@main
struct AlignmentCost {
    /// The number of packets in three hours of content.
    static let packets = 413_000
    static let breaks = 6
    static let repetitions = 9
    /// The number of packets in a second of audio.
    static let piece: Int64 = 39

    static func main() {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, let seed = UInt64(arguments[1]) else {
            stop("usage: AlignmentCost SEED FILE", status: 64)
        }
        // Memory is measured first, because the file would conceal it.
        let versions = AdvertisedVersions(content: packets, breaks: breaks, seed: seed)
        let before = ProcessUse.now.peakKilobytes
        let aligning = Quantiles((0..<repetitions).map { _ in versions.align() })
        let after = ProcessUse.now.peakKilobytes
        let arriving = Quantiles([versions.follow(by: piece)])
        let file = EpisodeFile(path: arguments[2])
        let hashing = Quantiles((0..<repetitions).map { _ in file.hash().time })
        print(
            "{\"packets\":\(file.hash().hashes.count),\"hash_ms\":\(hashing.milliseconds(0.5)),"
                + "\"align_ms\":\(aligning.milliseconds(0.5)),\"align_max_ms\":\(aligning.milliseconds(1)),"
                + "\"arriving_ms\":\(arriving.milliseconds(1)),\"align_kilobytes\":\(after - before)}")
    }
}
