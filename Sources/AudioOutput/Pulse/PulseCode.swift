// SPDX-License-Identifier: GPL-3.0-or-later
import CPulse

/// A result of libpulse (`pa_error_code_t`).
struct PulseCode: RawRepresentable, Equatable, CustomStringConvertible {
    let rawValue: CInt

    static let noEntity = PulseCode(rawValue: CInt(PA_ERR_NOENTITY.rawValue))
    /// The stream was ended: by a listener in a mixer, or by the server when its last sink disappeared.
    static let killed = PulseCode(rawValue: CInt(PA_ERR_KILLED.rawValue))

    var description: String { pa_strerror(rawValue).map { String(cString: $0) } ?? "error \(rawValue)" }
}
