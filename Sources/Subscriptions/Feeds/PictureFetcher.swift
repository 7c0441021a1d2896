// SPDX-License-Identifier: GPL-3.0-or-later
public import EpisodeLibrary
public import HTTPTransfer
public import Media

/// A fetcher of the pictures that feeds name.
public struct PictureFetcher: Sendable {
    private static let timeout = Duration.seconds(15)
    /// The most bytes of a picture; directories ask for at most 3000 by 3000 pixels.
    private static let longest: Int64 = 8 << 20

    private let fetcher: DocumentFetcher

    public init(transport: any HTTPTransport) {
        fetcher = DocumentFetcher(transport: transport, timeout: Self.timeout)
    }

    /// Returns the bytes of a picture.
    /// - Parameter feed: the feed that names the address. Its password is only sent to its own origin.
    public func picture(at url: String, of feed: SubscribedFeed?) async throws(MediaFailure) -> [UInt8] {
        let isPublic = feed?.state.isPublic ?? true
        let request = HTTPRequest(
            url: url, namedBy: feed?.url,
            credentials: feed?.login.map { Credentials(user: $0.user, password: $0.password) },
            reach: isPublic ? .publicOnly() : .any, longestBody: Self.longest)
        return try await fetcher.fetch(request).bytes
    }
}
