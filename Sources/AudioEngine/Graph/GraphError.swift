// SPDX-License-Identifier: GPL-3.0-or-later

/// Why a graph refuses an edit.
public enum GraphError: Error, Sendable, Equatable {
    /// The source renders this graph: the graph would be its own output.
    case cycle
}
