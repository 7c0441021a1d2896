// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc

/// The texts of symbolic links.
public enum SymbolicLink {
    /// The most bytes of a path in Linux (PATH_MAX).
    private static let longestPath = 4096
    /// The most links that Linux follows one after the other.
    private static let longestChain = 40

    /// Returns the path that a link contains; `nil` if no link has that path.
    public static func text(at path: String) -> String? {
        var text = [CChar](repeating: 0, count: longestPath)
        let count = readlink(path, &text, text.count)
        return count < 0 ? nil : String(decoding: text.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Returns the path of the file that a link, or a chain of links, leads to. The file need not exist.
    public static func target(of path: String) -> String {
        var path = path
        for _ in 0..<longestChain {
            guard let text = text(at: path) else { break }
            // A relative link begins at its own folder.
            let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
            path = text.hasPrefix("/") ? text : String(path.dropLast(name.count)) + text
        }
        return path
    }
}
