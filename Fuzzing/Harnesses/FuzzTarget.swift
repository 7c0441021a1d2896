// SPDX-License-Identifier: GPL-3.0-or-later

/// A kind of external input, with rules that hold for any bytes.
public struct FuzzTarget: Sendable, CustomStringConvertible {
    public let name: String
    /// The folders with seeds of this kind, relative to the package's root.
    private let seeds: [String]
    /// Runs the harness on an input.
    ///
    /// - Throws: `BrokenRule` if a rule is violated.
    public let run: @Sendable (UnsafeRawBufferPointer) throws -> Void

    init(_ name: String, seeds: [String] = [], run: @escaping @Sendable (UnsafeRawBufferPointer) throws -> Void) {
        self.name = name
        self.seeds = ["Fuzzing/Seeds/\(name)"] + seeds
        self.run = run
    }

    public static let all = [
        FuzzTarget("packets", seeds: ["Tests/Fixtures/mp3"], run: fuzzPackets),
        FuzzTarget("tags", run: fuzzTags),
        FuzzTarget("index", run: fuzzIndex),
        FuzzTarget("manifest", run: fuzzManifest),
        FuzzTarget("journal", run: fuzzJournal),
        FuzzTarget("http", run: fuzzHTTP),
        FuzzTarget("addresses", run: fuzzAddresses),
        FuzzTarget("feed", seeds: ["Tests/FeedsTests/Fixtures"], run: fuzzFeed),
        FuzzTarget("opml", run: fuzzOPML),
        FuzzTarget("page", run: fuzzPage),
        FuzzTarget("transcripts", run: fuzzTranscript),
        FuzzTarget("decoder", seeds: ["Tests/Fixtures/mp3"], run: fuzzDecoder),
        FuzzTarget("mp4", run: fuzzMP4),
        FuzzTarget("adts", run: fuzzADTS),
        FuzzTarget("ogg", run: fuzzOgg),
        FuzzTarget("flac", run: fuzzFLAC),
        FuzzTarget("wave", run: fuzzWave),
        FuzzTarget("codecs", seeds: ["mp4", "adts", "ogg", "wave"].map { "Fuzzing/Seeds/\($0)" }, run: fuzzCodecs),
        FuzzTarget("extents", run: fuzzExtents),
        FuzzTarget("alignment", run: fuzzAlignment),
    ]

    public var description: String { name }

    /// Returns the target with this name, or `nil` if it is unknown.
    public static func named(_ name: String) -> FuzzTarget? { all.first { $0.name == name } }

    /// The seed folders as absolute paths.
    public var seedFolders: [String] {
        let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
        return seeds.map { root.joined(separator: "/") + "/" + $0 }
    }
}

/// A violated rule.
public struct BrokenRule: Error, CustomStringConvertible {
    public let description: String
}

/// Checks a rule.
///
/// - Throws: `BrokenRule` with the text of the rule if it is violated.
func hold(_ isTrue: Bool, _ rule: @autoclosure () -> String) throws {
    guard isTrue else { throw BrokenRule(description: "broken: " + rule()) }
}
