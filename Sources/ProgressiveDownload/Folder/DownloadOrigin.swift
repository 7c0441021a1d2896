// SPDX-License-Identifier: GPL-3.0-or-later
import FoundationEssentials
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

    /// The validators as JSON.
    private struct StoredForm: Decodable {
        let etag: String?
        let lastModified: String?
        let total: Int64
    }

    var text: String {
        var json = JSONWriter()
        json.object { json in
            json.field("etag", conditions.etag)
            json.field("lastModified", conditions.lastModified)
            json.field("total", total)
        }
        return json.text + "\n"
    }

    init?(text: some Collection<UInt8>) {
        do {
            let form = try JSONDecoder().decode(StoredForm.self, from: Data(text))
            self.init(RequestConditions(etag: form.etag, lastModified: form.lastModified), total: form.total)
        } catch {
            return nil
        }
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
