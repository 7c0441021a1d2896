// SPDX-License-Identifier: GPL-3.0-or-later

/// A group of events that a client subscribes to.
public enum Topic: String, Sendable, CaseIterable {
    case player, queue, library, downloads, notes
}
