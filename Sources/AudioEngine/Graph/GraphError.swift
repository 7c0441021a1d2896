// SPDX-License-Identifier: GPL-3.0-or-later

/// An error that a graph throws when it rejects an edit.
public enum GraphError: Error, Sendable, Equatable {
    /// The source renders this graph, so the graph would be its own input.
    case cycle
}
