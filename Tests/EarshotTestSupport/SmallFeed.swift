// SPDX-License-Identifier: GPL-3.0-or-later

/// A small feed, and its parsed content.
public enum SmallFeed {
    public static let text = """
        <?xml version="1.0"?>
        <rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel><title>Small</title>
        <item><title>Second</title><guid>two</guid><pubDate>Tue, 02 Jan 2024 00:00:00 GMT</pubDate>
          <itunes:duration>1:40</itunes:duration>
          <enclosure url="https://user:secret@example.org/2.mp3?key=1" type="audio/mpeg" length="10"/></item>
        <item><title>Notes</title><guid>none</guid><pubDate>Wed, 03 Jan 2024 00:00:00 GMT</pubDate></item>
        <item><title>First</title><guid>one</guid><pubDate>Mon, 01 Jan 2024 00:00:00 GMT</pubDate>
          <enclosure url="https://example.org/1.mp4" type="video/mp4" length="10"/>
          <enclosure url="https://example.org/1.mp3" type="audio/mpeg" length="10"/></item>
        </channel></rss>
        """
    public static let bytes = Array(text.utf8)
}
