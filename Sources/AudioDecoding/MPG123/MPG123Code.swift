// SPDX-License-Identifier: GPL-3.0-or-later
import CMPG123

/// A result code of libmpg123; the constants have the library's names.
struct MPG123Code: RawRepresentable, Equatable, Sendable, CustomStringConvertible {
    let rawValue: Int32

    init(rawValue: Int32) { self.rawValue = rawValue }

    private init(_ code: mpg123_errors) { rawValue = Int32(code.rawValue) }

    static let MPG123_OK = MPG123Code(CMPG123.MPG123_OK)
    /// The output format is known; the next identical call returns PCM.
    static let MPG123_NEW_FORMAT = MPG123Code(CMPG123.MPG123_NEW_FORMAT)
    /// All input is consumed.
    static let MPG123_NEED_MORE = MPG123Code(CMPG123.MPG123_NEED_MORE)
    static let MPG123_DONE = MPG123Code(CMPG123.MPG123_DONE)

    var description: String { String(cString: mpg123_plain_strerror(rawValue)) }

    /// - Throws: `DecodingError.cannotStart` unless this is `MPG123_OK`.
    func check(_ operation: String) throws(DecodingError) {
        guard self == .MPG123_OK else {
            throw .cannotStart(operation: operation, reason: description)
        }
    }
}
