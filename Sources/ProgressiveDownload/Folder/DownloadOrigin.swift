// SPDX-License-Identifier: GPL-3.0-or-later
import HTTPTransfer
import Media

/// The validators that a server sent for a complete file, used to ask for a newer one.
struct DownloadOrigin: Sendable, Equatable {
    let conditions: RequestConditions
    /// The length in bytes of the file that they describe.
    let total: Int64

    private static let longestText = 16 << 10

    /// - Returns: `nil` if the server sent no validator.
    init?(_ conditions: RequestConditions, total: Int64) {
        guard conditions != RequestConditions() else { return nil }
        (self.conditions, self.total) = (conditions, total)
    }

    var text: String {
        JSONValue.object([
            "etag": conditions.etag.map(JSONValue.string) ?? .null,
            "lastModified": conditions.lastModified.map(JSONValue.string) ?? .null,
            "total": .integer(total),
        ]).text + "\n"
    }

    init?(text: some Collection<UInt8>) {
        guard let json = JSONValue(parsing: text), let total = json["total"]?.integer else { return nil }
        let conditions = RequestConditions(etag: json["etag"]?.string, lastModified: json["lastModified"]?.string)
        self.init(conditions, total: total)
    }

    /// Returns the validators of the file at `location`; `nil` if none are known for that file.
    static func load(of location: DownloadLocation) throws(SystemError) -> DownloadOrigin? {
        guard let text = try OpenFile.contents(of: location.originPath, atMost: longestText),
            let origin = DownloadOrigin(text: text), origin.total == location.length
        else { return nil }
        return origin
    }
}

extension RequestConditions {
    /// Creates conditions from the validator under which a download was resumed.
    init(_ validator: EntityValidator?) {
        switch validator {
        case .strongETag(let tag): self.init(etag: tag)
        case .lastModified(let text): self.init(lastModified: text)
        case nil: self.init()
        }
    }
}
