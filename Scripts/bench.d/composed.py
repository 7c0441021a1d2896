# SPDX-License-Identifier: GPL-3.0-or-later
"""Composes feeds like those of podcast hosts, with any number of episodes of about 3.2 KB."""
import hashlib
import html
from datetime import datetime, timedelta, timezone
from email.utils import format_datetime

NAMESPACES = (
    ("itunes", "http://www.itunes.com/dtds/podcast-1.0.dtd"), ("content", "http://purl.org/rss/1.0/modules/content/"),
    ("atom", "http://www.w3.org/2005/Atom"), ("podcast", "https://podcastindex.org/namespace/1.0"))
WORDS = (
    "lamp harbour evening conversation about the quiet machines that carry water across a valley and who mends them "
    "when winter comes early caf\u00e9 na\u00efve \u2013 \u201cquoted\u201d a letter from a listener in Malm\u00f6").split()
START = datetime(2024, 2, 29, 18, 30, tzinfo=timezone.utc)


def write(path, episodes, escaped=False):
    """Writes the feed unless it exists; the show notes are in CDATA or escaped."""
    if path.exists():
        return path
    part = path.with_suffix(".part")
    with open(part, "w", encoding="utf-8", newline="\n") as file:
        declared = "".join(f' xmlns:{prefix}="{uri}"' for prefix, uri in NAMESPACES)
        file.write(f'<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0"{declared}>\n<channel>\n{CHANNEL}')
        file.writelines(item(number, escaped) for number in range(episodes, 0, -1))
        file.write("</channel>\n</rss>\n")
    part.rename(path)
    return path


CHANNEL = """<title>The Composed Hour</title>
<link>https://composed.example/</link>
<atom:link href="https://composed.example/feed.xml" rel="self" type="application/rss+xml"/>
<description>A feed for measuring the cost of many episodes.</description>
<language>en</language>
<itunes:author>Anna &amp; Ben</itunes:author>
<itunes:image href="https://composed.example/cover.jpg"/>
<itunes:category text="Technology"/>
<itunes:explicit>false</itunes:explicit>
"""


def item(number, escaped):
    """Returns the item of one episode."""
    code = hashlib.md5(str(number).encode()).hexdigest()
    date = format_datetime(START + timedelta(days=number - 10_000))
    enclosed = f"https://track.composed.example/e/{number}/{code}.mp3?source=feed&amp;episode={number}"
    marked = html.escape(notes(number), quote=False) if escaped else f"<![CDATA[{notes(number)}]]>"
    return f"""<item>
<title>Episode {number}: {words(number, 6)} &amp; more</title>
<link>https://composed.example/episodes/{number}</link>
<guid isPermaLink="false">{code}-{number}</guid>
<pubDate>{date}</pubDate>
<enclosure url="{enclosed}" type="audio/mpeg" length="{20_000_000 + number * 997}"/>
<itunes:title>{words(number, 6)}</itunes:title>
<itunes:duration>{number % 3}:{number % 60:02}:{number * 7 % 60:02}</itunes:duration>
<itunes:season>{number // 100 + 1}</itunes:season>
<itunes:episode>{number}</itunes:episode>
<itunes:episodeType>full</itunes:episodeType>
<itunes:explicit>false</itunes:explicit>
<itunes:image href="https://composed.example/art/{number}.jpg"/>
<itunes:summary>{words(number, 24)}.</itunes:summary>
<description>{words(number + 3, 40)}.</description>
<content:encoded>{marked}</content:encoded>
</item>
"""


def notes(number):
    """Returns show notes of about 2 KB: paragraphs, a list and links."""
    paragraphs = "".join(f"<p>{words(number + offset, 44)}, says <strong>{words(offset, 2)}</strong>.</p>\n"
                         for offset in range(4))
    links = "".join(f'<li><a href="https://composed.example/links/{number}/{offset}?a=1&amp;b=2" target="_blank">'
                    f"{words(number + offset, 4)}</a> &ndash; {offset}:00</li>\n" for offset in range(6))
    return f"{paragraphs}<h3>Links</h3>\n<ul>\n{links}</ul>\n"


def words(start, count):
    """Returns `count` words, starting at a different word for each `start`."""
    return " ".join(WORDS[(start * 7 + offset) % len(WORDS)] for offset in range(count))
