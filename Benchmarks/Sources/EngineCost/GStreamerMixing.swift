// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import Glibc
import Media

/// Compares mixing sixty seconds of silent sources by GStreamer's audiomixer and by `Mixer`, as fast as possible.
struct GStreamerMixing {
    private let inputs: Int

    init(inputs: Int) { self.inputs = inputs }

    func tell() {
        guard access("/usr/bin/gst-launch-1.0", X_OK) == 0 else { return }
        // 6000 buffers of 480 frames; the cost of starting is subtracted.
        let theirs = seconds(buffers: 6000) - seconds(buffers: 1), ours = ourSeconds()
        print("""
            {"what": "mix a minute of \(inputs) inputs", "seconds": \(rounded(ours)), \
            "gstreamer_seconds": \(rounded(theirs)), "ratio": \(rounded(ours / theirs))}
            """)
    }

    /// Returns the processor time of gst-launch.
    private func seconds(buffers: Int) -> Double {
        let caps = "audio/x-raw,format=F32LE,rate=48000,channels=2"
        let source = "audiotestsrc wave=silence num-buffers=\(buffers) samplesperbuffer=480 ! \(caps) ! m. "
        let pipeline = "audiomixer name=m ! fakesink sync=false " + String(repeating: source, count: inputs)
        let before = childSeconds()
        _ = system("gst-launch-1.0 -q \(pipeline) >/dev/null 2>&1")
        return childSeconds() - before
    }

    private func childSeconds() -> Double {
        var use = rusage()
        getrusage(RUSAGE_CHILDREN.rawValue, &use)
        let (user, kernel) = (use.ru_utime, use.ru_stime)
        return Double(user.tv_sec + kernel.tv_sec) + Double(user.tv_usec + kernel.tv_usec) / 1_000_000
    }

    private func ourSeconds() -> Double {
        let format = AudioFormat(sampleRate: 48_000, channels: 2)
        let mixer = Mixer(format: format, maximumFrames: 480, events: EventThread(every: nil))
        for _ in 0..<inputs {
            _ = try? mixer.add(RenderCallbackSource { samples, frames, _ in
                samples.update(repeating: 0, count: frames * 2)
                return frames
            })
        }
        let output = UnsafeMutablePointer<Float>.allocate(capacity: 960)
        defer { output.deallocate() }
        return ContinuousClock().measure {
            for block in 0..<Int64(6000) { _ = mixer.render(into: output, frames: 480, at: block * 480) }
        } / .seconds(1)
    }
}
