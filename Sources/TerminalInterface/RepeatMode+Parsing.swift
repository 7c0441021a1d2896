// SPDX-License-Identifier: GPL-3.0-or-later
public import Playback

extension RepeatMode {
    /// Reads `off`, `one`, `all`.
    public init(parsing text: some StringProtocol) throws(ArgumentError) {
        guard let mode = RepeatMode(rawValue: String(text)) else {
            throw ArgumentError("'\(text)' is no way to repeat: write off, one or all")
        }
        self = mode
    }
}
