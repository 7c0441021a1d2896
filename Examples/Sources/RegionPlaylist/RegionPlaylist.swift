// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import AudioFiles
import Media
import Playing

/// A player of file regions in sequence: `RegionPlaylist FILE... [--output pulse[:SINK]|null|wav:PATH|offline]`.
///
/// For each file the program plays the second half, then the first tenth of a second three times, and, after half a
/// second of silence, the second half again: each region at its exact frame, with no gap except the silence. It
/// prints a line for each region when its last frame has played. The first file determines the rate of playback.
@main
struct RegionPlaylist {
    static func main() async {
        let usage = "RegionPlaylist FILE... [--output pulse[:SINK]|null|wav:PATH|offline]"
        await runExample(usage, words: 1...1000) { arguments in
            let rate = try AudioFileReader(path: arguments.words[0]).format.sampleRate
            let format = AudioFormat(sampleRate: rate, channels: 2)
            let graph = arguments.output.graph(format)
            let player = ScheduledFilePlayer(format: format, clock: graph.clock, events: graph.events) { event in
                print("player event: \(event)")
            }
            graph.output = player

            var playlist = Playlist(player)
            for path in arguments.words { try playlist.append(path) }
            // The first frames are read before playback requests them; then the player's frame 0 is the graph's next
            // frame.
            player.prime()
            player.start()
            // A little longer, so that the end plays, too.
            let frames = playlist.end + format.frames(in: .milliseconds(200))
            try await arguments.output.play(graph, frames: frames) { player.prime(frames: $0) }
        }
    }
}
