// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotAudio

let format = AudioFormat(sampleRate: 48_000, channels: 2)
let graph = RenderGraph(format: format)
let sampler = Sampler(format: format, clock: graph.clock, events: graph.events)
graph.output = sampler
let playback = GraphPlayback(of: graph, on: PulseSink())
try playback.start()
let bell = try SampleBuffer(AudioFileReader(path: "bell.flac", format: format))
try sampler.start(bell, at: .hostTime(.fromNow(.seconds(1))))
try await Task.sleep(for: .seconds(3))
try await playback.finish()
