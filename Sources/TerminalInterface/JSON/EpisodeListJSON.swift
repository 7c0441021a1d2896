// SPDX-License-Identifier: GPL-3.0-or-later
public import EpisodeLibrary
public import Media

/// Episodes and podcasts as JSON: the objects of docs/json-library.md.
public enum EpisodeListJSON {
    public static func list(_ episodes: [EpisodeSummary]) -> JSONValue { .array(episodes.map(LibraryJSON.episode)) }
    public static func list(_ podcasts: [PodcastSummary]) -> JSONValue { .array(podcasts.map(LibraryJSON.podcast)) }
}
