// SPDX-License-Identifier: GPL-3.0-or-later

/// The metadata blocks of FLAC that Earshot reads, by their types. Source: RFC 9639 section 8.1.
enum FLACBlock {
    static let streamInfo: UInt8 = 0
    static let seekTable: UInt8 = 3
    static let comments: UInt8 = 4
    static let picture: UInt8 = 6
    static let invalid: UInt8 = 127

    /// The length of the header in bytes: a bit that marks the last block, the type, the length of the content.
    static let headerLength = 4
}
