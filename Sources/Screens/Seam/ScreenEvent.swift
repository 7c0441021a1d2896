// SPDX-License-Identifier: GPL-3.0-or-later

/// Everything that changes the screen.
public enum ScreenEvent: Sendable {
    /// The first event, and after each change of the size.
    case resized(ScreenSize)
    case key(ScreenKey)
    /// Pasted text (bracketed paste); line ends are cut off.
    case paste(String)
    case mouse(MouseInput)
    case answer(LibraryQuery, LibraryAnswer)
    /// Another process or a command changed the library: the screen asks again for what it shows.
    case libraryChanged
    /// The state of playback; `nil` if no process owns playback.
    case player(PlayerState?)
    case download(DownloadState)
    case command(CommandRun.ID, CommandState)
    /// A failure as a sentence, from the driver or as an event of the player.
    case failure(String)
    /// A message that is not a failure, such as a note of the owner of playback.
    case note(String)
    case cover(CoverRequest, CoverPicture)
    /// The monotonic time. The driver sends it before any other event whose time matters, and at the time of the last
    /// `ScreenEffect.wake`.
    case clock(Duration)
    case day(LocalDay)
}

/// The progress of the download of an episode.
public struct DownloadState: Sendable, Hashable {
    public var episode: Int64
    public var state: EpisodeRow.Download
    /// 0...1; `nil` if the length is unknown.
    public var fraction: Double?
    public var bytesPerSecond: Double?
    public var bytesLeft: Int64?

    public init(
        _ episode: Int64, _ state: EpisodeRow.Download, fraction: Double? = nil, bytesPerSecond: Double? = nil,
        bytesLeft: Int64? = nil
    ) {
        (self.episode, self.state, self.fraction) = (episode, state, fraction)
        (self.bytesPerSecond, self.bytesLeft) = (bytesPerSecond, bytesLeft)
    }
}

/// The state of a command that runs in the background.
public enum CommandState: Sendable, Hashable {
    /// A line of progress, such as `4 of 21 feeds`.
    case progress(String)
    /// The end of the command, with the lines of standard output and of standard error.
    case ended(status: Int32, output: [String], errors: [String])
}

/// The wanted size of a cover. The driver answers once, also when it fails.
public struct CoverRequest: Sendable, Hashable {
    public var episode: Int64
    /// The address of the picture; `nil` for the picture of the podcast.
    public var image: String?
    public var columns: Int
    public var rows: Int

    public init(episode: Int64, image: String?, columns: Int, rows: Int) {
        (self.episode, self.image, self.columns, self.rows) = (episode, image, columns, rows)
    }
}

/// A cover, ready to show.
public enum CoverPicture: Sendable, Equatable {
    /// Rows of cells of width 1.
    case cells([[Cell]])
    /// The terminal draws the picture at `CellGrid.cover`.
    case drawnByTerminal
    case none
}
