// SPDX-License-Identifier: GPL-3.0-or-later
public import EpisodeLibrary

/// The addresses of feeds as an export writes them: without tokens, unless the listener asks for them. Addresses that
/// differ only in their tokens are numbered, so that each still identifies one podcast.
public struct ExportedAddresses: Sendable {
    /// The addresses by the podcast's number.
    public let feedURLs: [Int64: String]
    /// The podcasts whose exported address lacks its token.
    public let incomplete: [PodcastSummary]
    public let hasSecrets: Bool

    public init(_ podcasts: [PodcastSummary], withSecrets: Bool) {
        hasSecrets = withSecrets
        var counts: [String: Int] = [:]
        var addresses: [Int64: String] = [:]
        var incomplete: [PodcastSummary] = []
        for podcast in podcasts {
            let address = withSecrets ? podcast.feedURL : podcast.shownFeedURL
            counts[address, default: 0] += 1
            addresses[podcast.id] = PublicAddress.numbered(address, counts[address] ?? 1)
            if address != podcast.feedURL { incomplete.append(podcast) }
        }
        (feedURLs, self.incomplete) = (addresses, incomplete)
    }

    /// Returns the exported form of an episode's address or of a podcast's former address.
    public func text(_ address: String, isPrivate: Bool) -> String {
        hasSecrets ? PublicAddress.text(address) : PublicAddress.shown(address, isPrivate: isPrivate)
    }

    /// True if the export may contain digests of the addresses of a podcast's episodes. A short token can be computed
    /// from the digest of its address.
    public func includesDigests(of podcast: PodcastSummary) -> Bool {
        hasSecrets || !podcast.isPrivate && podcast.shownFeedURL == podcast.feedURL
    }

    /// Returns the general settings whose value is an address with a secret that the export must not contain, in
    /// alphabetical order. A changed address would be of no use, so these settings are left out.
    public func secretSettings(of library: Library) throws(LibraryError) -> [String] {
        try library.settings().filter { text($0.value, isPrivate: false) != $0.value }.map(\.key).sorted()
    }
}
