// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import Media

/// The conversion of paths to `file:` URLs (RFC 8089) and back. It is needed because a feed on disk links to its
/// episodes relative to itself.
public enum FileURL {
    /// Returns the URL of `path`; `nil` if the path is relative and the working directory is unknown.
    static func url(ofPath path: String) -> String? {
        guard path.hasPrefix("/") || workingDirectory != nil else { return nil }
        let absolute = path.hasPrefix("/") ? path : (workingDirectory ?? "") + "/" + path
        return "file://" + PercentEncoding.encoded(absolute[...], and: "%?#")
    }

    /// Returns the path of a `file:` URL; `nil` for any other URL.
    public static func path(ofURL text: String) -> String? {
        let url = WebURL(text)
        return url.isLocal && !url.path.isEmpty ? PercentEncoding.decoded(url.path) : nil
    }

    private static var workingDirectory: String? {
        guard let buffer = getcwd(nil, 0) else { return nil }
        defer { free(buffer) }
        return String(cString: buffer)
    }
}
