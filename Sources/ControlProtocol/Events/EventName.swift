// SPDX-License-Identifier: GPL-3.0-or-later

/// The events that the owner sends.
public enum EventName: String, Sendable, CaseIterable {
    case state, track, position, seek, stall, lost, version, chapters, chapter, bookmark, output, sleep, ended, error
    case volume, repeatMode = "repeat", sound, sleepTimer, next, items
    case note, service
    case queue, library
    case download, progress
    case gap

    /// True if a newer event of the name replaces an unsent one.
    var isCoalesced: Bool { [.position, .queue, .library, .progress].contains(self) }

    /// The topic whose subscribers get the event; all subscribers get `gap`.
    public var topic: Topic {
        switch self {
        case .note: .notes
        case .queue: .queue
        case .library: .library
        case .download, .progress: .downloads
        default: .player
        }
    }

    /// The description of the event.
    public var description: EventDescription { Self.descriptions[self] ?? EventDescription(self, "", [], example: "") }

    private static let descriptions = Dictionary(uniqueKeysWithValues: EventDescription.all.map { ($0.name, $0) })
}
