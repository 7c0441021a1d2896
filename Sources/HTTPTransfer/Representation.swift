// SPDX-License-Identifier: GPL-3.0-or-later

/// The known properties of the enclosure version that the stored bytes belong to.
public struct Representation: Sendable, Equatable {
    public var validator: EntityValidator?
    public var total: Int64?

    public init(validator: EntityValidator? = nil, total: Int64? = nil) {
        self.validator = validator
        self.total = total
    }
}

extension Representation {
    /// Returns true if a response carries exactly the known validator.
    func isProven(by head: ResponseHead) -> Bool {
        switch validator {
        case .strongETag(let tag): head.etag == tag
        case .lastModified(let text): head.lastModified == text
        case nil: false
        }
    }

    /// Returns the reason why a response belongs to another version, or `nil` if it may belong to the same one.
    func contradiction(by head: ResponseHead, total other: Int64?) -> String? {
        let isOtherVersion =
            switch validator {
            case .strongETag(let tag): head.etag.map { $0 != tag } ?? false
            case .lastModified(let text): head.lastModified.map { $0 != text } ?? false
            case nil: false
            }
        if isOtherVersion { return "the server has a different version now" }
        if let total, let other, total != other { return "the length changed from \(total) to \(other) bytes" }
        return nil
    }
}
