// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers
import Media

extension AudioBufferList {
    /// Returns a list whose frame n has the sample n + 1 + 100 × channel.
    static func counting(_ format: AudioFormat, frames: Int) -> AudioBufferList {
        let list = AudioBufferList(format: format, frameCapacity: frames)
        for frame in 0..<frames {
            for channel in 0..<format.channels { list.slice.store(frame + 1 + channel * 100, channel, frame) }
        }
        return list
    }
}

extension AudioBufferSlice {
    /// The numbers that `counting` stored, by the first channel; −1 for a frame whose channels do not match.
    var frameNumbers: [Int] {
        (0..<frames).map { frame in
            let samples = (0..<format.channels).map { number($0, frame) }
            let whole =
                samples[0] == 0
                ? samples.allSatisfy { $0 == 0 }
                : samples.enumerated().allSatisfy {
                    $1 == samples[0] + $0 * 100
                }
            return whole ? samples[0] : -1
        }
    }

    fileprivate func store(_ number: Int, _ channel: Int, _ frame: Int) {
        let (place, offset) = place(channel, frame)
        switch format.sampleType {
        case .int16: place.storeBytes(of: Int16(number), toByteOffset: offset, as: Int16.self)
        case .int32: place.storeBytes(of: Int32(number), toByteOffset: offset, as: Int32.self)
        case .float32: place.storeBytes(of: Float(number), toByteOffset: offset, as: Float.self)
        case .float64: place.storeBytes(of: Double(number), toByteOffset: offset, as: Double.self)
        }
    }

    private func number(_ channel: Int, _ frame: Int) -> Int {
        let (place, offset) = place(channel, frame)
        return switch format.sampleType {
        case .int16: Int(place.load(fromByteOffset: offset, as: Int16.self))
        case .int32: Int(place.load(fromByteOffset: offset, as: Int32.self))
        case .float32: Int(place.load(fromByteOffset: offset, as: Float.self))
        case .float64: Int(place.load(fromByteOffset: offset, as: Double.self))
        }
    }

    /// Returns the plane of a sample and its byte offset within the plane.
    func place(_ channel: Int, _ frame: Int) -> (plane: UnsafeMutableRawPointer, offset: Int) {
        let bytes = format.sampleType.bytes
        return format.isInterleaved
            ? (plane(0), (frame * format.channels + channel) * bytes) : (plane(channel), frame * bytes)
    }
}
