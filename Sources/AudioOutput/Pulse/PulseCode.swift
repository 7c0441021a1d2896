// SPDX-License-Identifier: GPL-3.0-or-later
import CPulse

/// A result of libpulse (`pa_error_code_t`).
struct PulseCode: RawRepresentable, Equatable, CustomStringConvertible {
    let rawValue: CInt

    var description: String { pa_strerror(rawValue).map { String(cString: $0) } ?? "error \(rawValue)" }
}
