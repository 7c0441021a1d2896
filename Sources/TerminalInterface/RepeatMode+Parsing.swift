// SPDX-License-Identifier: GPL-3.0-or-later
public import Playback

extension RepeatMode {
    /// Parses `off`, `one` or `all`.
    public init(parsing text: some StringProtocol) throws(ArgumentError) {
        guard let mode = RepeatMode(rawValue: String(text)) else {
            throw ArgumentError("invalid repeat mode \"\(text)\": write off, one or all")
        }
        self = mode
    }
}
