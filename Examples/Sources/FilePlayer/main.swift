// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotAudio

let format = AudioFormat(sampleRate: 48_000, channels: 2)
let graph = RenderGraph(format: format)
let song = try StreamingSource(AudioFileReader(path: "song.flac", format: format))
graph.output = song
try await GraphPlayback(of: graph, on: PulseSink()).play(toEndOf: song)
