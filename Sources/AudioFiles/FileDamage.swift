// SPDX-License-Identifier: GPL-3.0-or-later
import Synchronization

/// The damaged parts of a file that a reader has read as silence, or skipped where the file does not state how many
/// frames they had. The frames after such a part are in place, as far as the file states their places.
///
/// A reader that plays belongs to the thread that reads ahead; this value may be read on any thread.
public final class FileDamage: Sendable {
    private let value = Mutex<AudioFileError?>(nil)

    init() {}

    /// The first damaged part; `nil` if none was read so far.
    public var first: AudioFileError? { value.withLock { $0 } }

    func note(_ damage: AudioFileError) { value.withLock { $0 = $0 ?? damage } }

    /// Forgets the parts that were found since `first` was the first one.
    func restore(_ first: AudioFileError?) { value.withLock { $0 = first } }
}
