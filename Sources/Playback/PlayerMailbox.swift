// SPDX-License-Identifier: GPL-3.0-or-later
import AudioOutput
import Media
import Synchronization

/// What other threads ask of the playback thread.
enum PlayerMessage: Sendable {
    case edit(PlaylistEdit)
    case play, pause, togglePause
    case seek(SeekTarget)
    case next, previous
    case retry
    case hurry
    case volume(Double)
    case volumeStep(Double)
    case sink(AudioSinkEvent)
    /// It could not be reached when that was tried ahead of time.
    case noOutput(AudioOutputError)
    /// What became of a try, by its number, to open the output again.
    case outputTried(Int, AudioOutputError?)
    case stop
}

/// A change of the playlist.
enum PlaylistEdit: Sendable {
    case append(PlaybackItem)
    case close
    case remove(ItemChoice)
    /// To a place counted from 0.
    case move(ItemChoice, to: Int)
    /// What stands behind the item that is heard.
    case removeUpNext
    case setRepeat(RepeatMode)
    case cycleRepeat
}

/// An item by its identity, or by its place on the playlist at that moment, counted from 0.
enum ItemChoice: Sendable {
    case id(PlaybackItem.ID)
    case place(Int)
}

/// The way into the playback thread, and its status out of it.
final class PlayerMailbox: Sendable {
    private let messages = Mutex<[PlayerMessage]>([])
    private let published: Mutex<PlayerStatus>
    private let wakeSignal = WakeSignal()
    /// Whether the playback thread waits for bytes: at full speed they come a hundred times as often as it needs them.
    private let wantsBytes = Atomic<Bool>(true)

    init(status: PlayerStatus) {
        published = Mutex(status)
    }

    var status: PlayerStatus {
        get { published.withLock { $0 } }
        set { published.withLock { $0 = newValue } }
    }

    func post(_ message: PlayerMessage) {
        messages.withLock { $0.append(message) }
        wake()
    }

    /// Says that something the playback thread looks at by itself has changed. Neither locks nor allocates.
    func wake() { wakeSignal.signal() }

    /// Says that bytes arrived.
    func wakeForBytes() {
        if wantsBytes.load(ordering: .sequentiallyConsistent) { wake() }
    }

    func takeAll() -> [PlayerMessage] {
        messages.withLock { messages in
            defer { messages.removeAll() }
            return messages
        }
    }

    /// From now on `wakeForBytes` wakes, or does not. Who begins to want bytes looks for them once more before waiting.
    func setWantsBytes(_ wants: Bool) { wantsBytes.store(wants, ordering: .sequentiallyConsistent) }

    func wait(atMost limit: Duration) { wakeSignal.wait(atMost: limit) }
}
