// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// The stored form of an anchor: `offset time length`, with the time in microseconds.
extension TimeAnchor {
    public var text: String { "\(offset) \(time.microseconds) \(totalLength)" }

    /// Parses the stored form.
    /// - Returns: `nil` if the text is not one, or is damaged.
    public init?(text: String?) {
        let numbers = (text ?? "").split(separator: " ").map { Int64($0) }
        // The time is limited so that sums and differences cannot overflow.
        guard numbers.count == 3, let offset = numbers[0], let time = numbers[1], let length = numbers[2],
            0...1 << 52 ~= time, offset >= 0, offset <= length
        else { return nil }
        self.init(offset: offset, time: .microseconds(time), totalLength: length)
    }
}
