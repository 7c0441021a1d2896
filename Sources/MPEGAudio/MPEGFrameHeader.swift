// SPDX-License-Identifier: GPL-3.0-or-later

/// The four header bytes of an MPEG audio frame.
public struct MPEGFrameHeader: Sendable, Equatable {
}
