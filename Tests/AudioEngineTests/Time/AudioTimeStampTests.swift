// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import Media
import Testing

@Suite("AudioTimeStamp") struct AudioTimeStampTests {
    private static let stamp = AudioTimeStamp(sampleTime: 1000, hostTime: HostTime(nanoseconds: 5_000_000_000))

    @Test("A host time maps to the nearest frame, before and after the time stamp", arguments: [
        (5_000_000_000, 1000), (6_000_000_000, 49_000), (4_000_000_000, -47_000), (5_000_010_416, 1000),
        (5_000_010_417, 1001), (5_000_020_833, 1001), (4_999_989_583, 999), (4_999_989_584, 1000),
    ] as [(Int64, Int64)])
    func nearest(nanoseconds: Int64, frame: Int64) {
        let moment = HostTime(nanoseconds: nanoseconds)
        #expect(Self.stamp.sampleTime(at: moment, sampleRate: 48_000) == frame)
        #expect(Self.stamp.sampleTime(of: .hostTime(moment), sampleRate: 48_000) == frame)
    }

    @Test("A start time is the slice's frame, a given frame or the frame of a host time")
    func starts() {
        #expect(Self.stamp.sampleTime(of: .nextRender, sampleRate: 48_000) == 1000)
        #expect(Self.stamp.sampleTime(of: .sampleTime(-7), sampleRate: 48_000) == -7)
    }

    @Test("Extreme host times do not trap", arguments: [Int64.min, .min + 1, -1, 0, 1, .max - 1, .max])
    func extremes(nanoseconds: Int64) {
        let moment = HostTime(nanoseconds: nanoseconds)
        for delay in [Duration.zero, .seconds(Int64.max), .seconds(Int64.min), .nanoseconds(1)] {
            let later = moment.advanced(by: delay)
            #expect(delay < .zero ? later <= moment : later >= moment)
            _ = later.duration(since: moment)
        }
        let far = AudioTimeStamp(sampleTime: .max, hostTime: HostTime(nanoseconds: .min))
        #expect(far.sampleTime(at: moment, sampleRate: 768_000) >= 0)
    }
}

@Suite("GraphClock") struct GraphClockTests {
    private let format = AudioFormat(sampleRate: 48_000, channels: 1)

    @Test("A clock has no times before the first slice")
    func nothing() {
        let clock = GraphClock(format: format)
        #expect(clock.slice == nil)
        #expect(clock.sampleTime(at: .now) == nil)
        #expect(clock.hostTime(at: 0) == nil)
    }

    @Test("The last slice converts frames to host times and host times to frames")
    func conversions() {
        let clock = GraphClock(format: format)
        clock.note(AudioTimeStamp(sampleTime: 480, hostTime: HostTime(nanoseconds: 1_000_000_000)))
        #expect(clock.sampleTime(at: HostTime(nanoseconds: 1_010_000_000)) == 960)
        #expect(clock.hostTime(at: 0) == HostTime(nanoseconds: 990_000_000))
        #expect(clock.hostTime(at: .max) != nil)
        #expect(clock.hostTime(at: .min) != nil)
    }

    @Test("A concurrent read never mixes the frame and the host time of two slices")
    func wholeSlices() async {
        let clock = GraphClock(format: format)
        let writer = WorkerThread.start {
            for frame in Int64(1)...400_000 {
                clock.note(AudioTimeStamp(sampleTime: frame, hostTime: HostTime(nanoseconds: -frame)))
            }
        }
        var (torn, last) = (0, Int64(0))
        while last < 400_000 {
            guard let slice = clock.slice else { continue }
            if slice.hostTime.nanoseconds != -slice.sampleTime || slice.sampleTime < last { torn += 1 }
            last = slice.sampleTime
        }
        writer?.join()
        #expect(torn == 0)
    }
}
