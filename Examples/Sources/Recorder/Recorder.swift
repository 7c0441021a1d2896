// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import AudioFiles
import Glibc
import Media
import Playing

/// A program that records the sound it plays:
/// `Recorder SECONDS OUT [FILE] [--output pulse[:SINK]|null|wav:PATH|offline]`.
///
/// A tone on the left and, if one is named, a file on the right are mixed, played and written to OUT, whose extension
/// determines the type: WAV, AIFF, CAF, FLAC, Ogg Vorbis or Opus. The realtime thread only copies; a thread of the
/// recorder writes. At the end the program prints the number of frames in the file and the number of dropped frames.
@main
struct Recorder {
    static func main() async {
        let usage = "Recorder SECONDS OUT [FILE] [--output pulse[:SINK]|null|wav:PATH|offline]"
        await runExample(usage, words: 2...3) { arguments in
            let format = AudioFormat(sampleRate: 48_000, channels: 2)
            let take = try Take(seconds: arguments.words[0], path: arguments.words[1], format: format)
            let song = try arguments.words.dropFirst(2).first.map { path in
                try Song(path, take.mono, isLive: arguments.output.isLive)
            }

            let graph = arguments.output.graph(format)
            let mixer = Mixer(for: graph)
            try mixer.add(tone(format), format: take.mono, MixerInputSettings(gain: 0.25, pan: -0.5))
            if let song { try mixer.add(song.source, format: take.mono, MixerInputSettings(gain: 0.5, pan: 0.5)) }
            let recorder = try RealtimeRecorder(take.writer())
            graph.output = RecordingTap(mixer, into: recorder, during: 0..<take.frames)

            try await arguments.output.play(graph, frames: take.frames) { frames in
                // Offline rendering is as fast as possible, so it waits for both the reading and the writing.
                song?.source.prime(frames: frames)
                recorder.waitForSpace(frames: frames)
            }
            try take.tell(of: await recorder.finish())
        }
    }

    /// Returns a source of 440 Hz in one channel. A sample depends only on the number of its frame, so the source
    /// keeps no state.
    private static func tone(_ format: AudioFormat) -> RenderCallbackSource {
        let step = 2 * Double.pi * 440 / Double(format.sampleRate)
        return RenderCallbackSource { samples, frames, first in
            var frame = 0
            while frame < frames {
                samples[frame] = Float(sin(step * Double(first + Int64(frame))))
                frame += 1
            }
            return frames
        }
    }
}
