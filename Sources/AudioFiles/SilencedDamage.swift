// SPDX-License-Identifier: GPL-3.0-or-later
import Synchronization

/// The damaged packets that a reader has returned as silence, while all other frames are in place.
///
/// A reader that plays belongs to the thread that reads ahead; this value may be read on any thread.
public final class SilencedDamage: Sendable {
    private let value = Mutex<AudioFileError?>(nil)

    init() {}

    /// The first one; `nil` if no damaged packet was read so far.
    public var first: AudioFileError? { value.withLock { $0 } }

    func note(_ damage: AudioFileError) { value.withLock { $0 = $0 ?? damage } }
}
