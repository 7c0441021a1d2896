// SPDX-License-Identifier: GPL-3.0-or-later
public import EpisodeLibrary
import Feeds
public import HTTPTransfer
public import Media

/// The transcripts of the library's episodes: stored, or fetched from the addresses in their feeds.
public struct LibraryTranscripts: Sendable {
    /// The occasion on which the setting `transcripts` may ask for a transcript.
    public enum Occasion: Sendable {
        /// The episode was downloaded or is playing.
        case downloaded
        /// A refresh found the episode.
        case found
    }

    /// The timeouts for a document that the listener asked for, and for one that a rule asks for.
    private static let timeout = Duration.seconds(30)
    private static let timeoutByRule = Duration.seconds(10)
    /// The number of links to try if documents are missing or damaged.
    private static let mostLinks = 3

    private let library: Library
    private let transport: any HTTPTransport

    public init(_ library: Library, transport: any HTTPTransport) {
        (self.library, self.transport) = (library, transport)
    }

    /// Returns the stored transcript; `nil` if there is none.
    public func stored(_ episode: Int64) async throws(MediaFailure) -> StoredTranscript? {
        try await onDisk { library throws(LibraryError) in try library.transcript(of: episode) }
    }

    /// Returns the stored transcript, or fetches it if there is none.
    public func transcript(of episode: Int64) async throws(MediaFailure) -> StoredTranscript {
        if let stored = try await stored(episode) { return stored }
        return try await fetch(episode)
    }

    /// Fetches a missing transcript if the podcast's setting asks for it.
    /// - Returns: the stored transcript; `nil` if the setting asks for none, or the feed has none.
    @discardableResult
    public func fetchByRule(_ episode: Int64, on occasion: Occasion) async throws(MediaFailure) -> StoredTranscript? {
        let isWanted = try await onDisk { library throws(LibraryError) in
            try Self.isWanted(episode, on: occasion, library)
        }
        return isWanted ? try await fetch(episode, within: Self.timeoutByRule) : nil
    }

    /// Returns the podcasts for which the settings ask for the transcripts of new episodes.
    public func wantingNew(among podcasts: [Int64]) async throws(MediaFailure) -> Set<Int64> {
        let settings = try await onDisk { library throws(LibraryError) in try library.allSettings() }
        return Set(podcasts.filter { settings[$0][.transcripts] == .choice("new") })
    }

    private static func isWanted(
        _ episode: Int64, on occasion: Occasion, _ library: Library
    ) throws(LibraryError) -> Bool {
        let rule = try library.effectiveSettings(for: library.episode(episode).podcast)[.transcripts]
        switch (rule, occasion) {
        case (.choice("new"), _), (.choice("downloaded"), .downloaded): break
        default: return false
        }
        guard try !library.hasTranscript(of: episode) else { return false }
        return try Transcript.choice(of: library.transcriptLinks(of: episode), languages: []) != nil
    }

    /// Fetches the transcript and stores it in place of the present one, which stays if the fetch fails.
    /// - Throws: `missing` if the feed lists no transcript; otherwise the failure of the best link.
    public func fetch(_ episode: Int64) async throws(MediaFailure) -> StoredTranscript {
        try await fetch(episode, within: Self.timeout)
    }

    private func fetch(_ episode: Int64, within timeout: Duration) async throws(MediaFailure) -> StoredTranscript {
        let fetcher = DocumentFetcher(transport: transport, timeout: timeout)
        let order = try await onDisk { library throws(LibraryError) in try TranscriptOrder(episode, library) }
        var first: MediaFailure?
        for link in order.links.prefix(Self.mostLinks) {
            do throws(MediaFailure) {
                return try await store(try await fetcher.transcript(at: link, order), from: link.url, of: episode)
            } catch {
                let reason = "its transcript cannot be fetched: \(error.reason)"
                first = first ?? MediaFailure(error.kind, reason, needsPassword: error.needsPassword)
                guard [.missing, .badData].contains(error.kind) else { break }
            }
        }
        throw first ?? MediaFailure(.missing, order.absence)
    }

    private func store(
        _ transcript: Transcript, from url: String, of episode: Int64
    ) async throws(MediaFailure) -> StoredTranscript {
        let stored = try await onDisk { library throws(LibraryError) in
            let version = try library.versionOfFeed(of: episode)
            try library.store(transcript, of: episode, from: url, version: version)
            return try library.transcript(of: episode)
        }
        // Another process may have removed the episode.
        guard let stored else { throw MediaFailure(.missing, "the episode is no longer in the library") }
        return stored
    }

    private func onDisk<Value: Sendable>(
        _ body: @escaping @Sendable (Library) throws(LibraryError) -> Value
    ) async throws(MediaFailure) -> Value {
        let library = library
        do throws(LibraryError) {
            return try await DiskWork.run { () throws(LibraryError) in try body(library) }
        } catch {
            throw MediaFailure(error)
        }
    }
}

extension DocumentFetcher {
    fileprivate func transcript(at link: ParsedTranscript, _ order: TranscriptOrder) async throws(MediaFailure)
        -> Transcript
    {
        let document = try await fetch(order.request(for: link))
        return try await DiskWork.run { () throws(MediaFailure) in
            try Self.transcript(in: document, of: link, languageOfFeed: order.language)
        }
    }

    private static func transcript(
        in document: Document, of link: ParsedTranscript, languageOfFeed: String?
    ) throws(MediaFailure) -> Transcript {
        let parsed = document.bytes.withUnsafeBytes { bytes in
            Result { () throws(TranscriptError) in
                try TranscriptParser.parse(bytes, of: link, contentType: document.head.fields["content-type"])
            }
        }
        do throws(TranscriptError) {
            let transcript = try parsed.get()
            return Transcript(cues: transcript.cues, language: transcript.language ?? languageOfFeed)
        } catch {
            throw MediaFailure(.badData, error.description)
        }
    }
}

/// The links to the transcripts of an episode, and the properties of the requests.
private struct TranscriptOrder: Sendable {
    /// The links in formats that can be read, the best first.
    let links: [ParsedTranscript]
    /// The language of the feed.
    let language: String?
    /// The reason if there are no links.
    let absence: String
    private let feed: String
    private let credentials: Credentials?
    private let scope: AddressScope

    init(_ episode: Int64, _ library: Library) throws(LibraryError) {
        let podcast = try library.podcast(library.episode(episode).podcast)
        let listed = try library.transcriptLinks(of: episode)
        language = podcast.language
        links = Self.ranked(listed, podcast.language)
        absence =
            listed.isEmpty
            ? "its feed lists no transcript" : "its feed lists only transcripts in formats that earshot cannot read"
        feed = podcast.feedURL
        credentials = try library.login(for: podcast.id).map { Credentials(user: $0.user, password: $0.password) }
        // A public feed must not lead into the listener's network.
        scope = podcast.feed.isPublic ? .publicOnly() : .any
    }

    private static func ranked(_ listed: [ParsedTranscript], _ language: String?) -> [ParsedTranscript] {
        var (rest, ranked) = (listed, [ParsedTranscript]())
        while let best = Transcript.choice(of: rest, languages: [language].compactMap { $0 }) {
            ranked.append(best)
            rest.removeAll { $0 == best }
        }
        return ranked
    }

    func request(for link: ParsedTranscript) -> HTTPRequest {
        HTTPRequest(
            url: link.url, accept: .compressed, namedBy: feed, credentials: credentials, reach: scope,
            longestBody: Int64(TranscriptParser.largestDocument))
    }
}
