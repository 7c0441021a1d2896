// SPDX-License-Identifier: GPL-3.0-or-later
public import AudioProcessing

/// A command to the player. A key, a line of `--commands` or another program produces it, `Player.send` accepts it, and
/// the playback thread executes it.
public enum PlayerCommand: Sendable, Equatable {
    case play
    case pause
    case togglePause
    /// Seeks in the current item. Accepted in every phase; of several seeks, the last one wins.
    case seek(SeekTarget)
    /// Plays the next item; no effect if the current one is the last.
    case next
    /// Seeks to the start of the item, or, within its first three seconds, plays the previous item.
    case previous
    /// Seeks to the start of a chapter; no effect if there is no such chapter.
    case chapter(ChapterChoice)
    /// Requests the missing bytes again after the download has stopped.
    case retry
    /// Ends a wait for bytes as soon as two seconds are buffered; a stall may follow.
    case playNow
    /// Sets the gain, 0 ... 1.5; 1 leaves samples unchanged.
    case setVolume(Double)
    case changeVolume(by: Double)
    /// Sets the speed of all items, limited to 0.5 ... 3.5; the pitch does not change.
    case setSpeed(Double)
    case changeSpeed(by: Double)
    /// Changes the processing of the sound of all items.
    case changeSound(SoundChanges)
    /// Gives items other settings, which `changeSound` and `setSpeed` still replace. They apply immediately, except a
    /// new introduction or end to skip of an item that has begun.
    case changeSettings([PlaybackItem.ID: ItemSettings])
    /// Arms the sleep timer; `nil` disarms it.
    case setSleep(SleepTimer?)
    /// Switches to the next usual sleep timer: 30 minutes, 60 minutes, end of the chapter if there are chapters, end of
    /// the item, off.
    case cycleSleep
    /// Announces the position that was heard three seconds ago (`PlayerEvent.marked`), with a note of the listener:
    /// nine seconds of the item at triple speed, without hidden chapters that are left out. It is not before the place
    /// where the item started or the last seek landed; while a seek waits, the sound before it counts. No effect if
    /// nothing was heard yet.
    case mark(note: String?)
    /// Plays a short sound over the current audio.
    case chime
    /// Ends playback and closes the output and every source; `Player.events` ends when that is done.
    case stop

    /// Appends an item, whose `id` must not have been used before, to the playlist.
    case append(PlaybackItem)
    /// Inserts an item, whose `id` must not have been used before, after the item `after`, otherwise after the
    /// displayed one.
    case insert(PlaybackItem, after: PlaybackItem.ID?)
    /// Plays an item, whose `id` must not have been used before, immediately. The displayed item follows it from its
    /// place, unless it was played to its end.
    case interrupt(with: PlaybackItem)
    /// Marks the playlist as complete: playback ends after the last item.
    case closePlaylist
    /// Removes an item from the playlist. If it is the current one, playback continues with its successor.
    case remove(ItemChoice)
    /// Moves an item to a position, counted from 0 without it; any value beyond the last position means the last.
    case move(ItemChoice, to: Int)
    /// Brings items of the playlist into this order: they exchange their positions.
    case arrange([PlaybackItem.ID])
    /// Removes all items after the current one.
    case removeUpNext
    case setRepeat(RepeatMode)
    /// Switches to the next mode: off, one, all.
    case cycleRepeat

    /// False for commands that a program also sends to keep the playlist up to date, and for the chime: they do not
    /// show that the listener is awake.
    var isOfListener: Bool {
        switch self {
        case .append, .insert, .closePlaylist, .remove, .move, .arrange, .removeUpNext, .changeSettings, .chime: false
        default: true
        }
    }
}

/// An item by its identity, or by its present position on the playlist, counted from 0. A command for an item that is
/// not on the playlist has no effect.
public enum ItemChoice: Sendable, Equatable {
    case id(PlaybackItem.ID)
    case position(Int)
}
