// SPDX-License-Identifier: GPL-3.0-or-later

/// ArgumentParser's message about an invalid value.
enum InvalidValue {
    /// Returns the line with the value once and with a reason; any other line unchanged. ArgumentParser puts the value
    /// before a reason that names it too, and gives no reason for a number.
    static func corrected(_ line: String) -> String {
        guard let start = line.firstRange(of: "The value '")?.upperBound,
            let middle = line[start...].firstRange(of: "' is invalid for '"),
            let end = line[middle.upperBound...].firstIndex(of: "'"),
            let reason = Self.reason(in: line[end...].dropFirst(), for: line[start..<middle.lowerBound])
        else { return line }
        return "\(line[...end]): \(reason)."
    }

    /// - Parameter rest: the text after the name of the option.
    private static func reason(in rest: Substring, for value: Substring) -> String? {
        if rest.isEmpty { return Double(value) == nil ? "write a number" : "write a whole number in the allowed range" }
        return rest.firstRange(of: " \"\(value)\": ").map { String(rest[$0.upperBound...]) }
    }
}
