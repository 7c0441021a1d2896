// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import AudioFiles
import Media
import Playing

/// Regions of files, played in a row: `RegionPlaylist FILE... [--output pulse[:SINK]|null|wav:PATH|offline]`.
///
/// Of each file the second half is played, then its first tenth of a second three times over, then half a second of
/// silence later its second half again: without a gap where none is wanted, and each at its exact frame. A line
/// tells of each region when its last frame was heard. The first file says at which rate all are played.
@main
struct RegionPlaylist {
    static func main() async {
        let usage = "RegionPlaylist FILE... [--output pulse[:SINK]|null|wav:PATH|offline]"
        await runExample(usage, words: 1...1000) { arguments in
            let rate = try AudioFileReader(path: arguments.words[0]).format.sampleRate
            let format = AudioFormat(sampleRate: rate, channels: 2)
            let graph = arguments.output.graph(format)
            let player = ScheduledFilePlayer(format: format, clock: graph.clock, events: graph.events) { event in
                print("the player tells: \(event)")
            }
            graph.output = player

            var playlist = Playlist(player)
            for path in arguments.words { try playlist.append(path) }
            // What is heard first is read before anything asks for it; then the player's frame 0 is the graph's next.
            player.prime()
            player.start()
            // A little longer, for the end to be heard.
            let frames = playlist.end + format.frames(in: .milliseconds(200))
            try await arguments.output.play(graph, frames: frames) { player.prime(frames: $0) }
        }
    }
}
