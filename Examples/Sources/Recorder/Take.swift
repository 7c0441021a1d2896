// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import AudioFiles
import Media
import Playing

/// A recording: its length and its file.
struct Take {
    let frames: Int64
    private let path: String
    private let type: AudioFileType
    private let format: AudioFormat

    /// Parses the length and the path of a recording.
    /// - Throws: a `Refusal` if one of them is not valid.
    init(seconds: String, path: String, format: AudioFormat) throws(Refusal) {
        guard let length = Double(seconds), (0.001...3600).contains(length) else {
            throw Refusal("\(seconds) is not a number of seconds from 0 to 3600")
        }
        let ending = path.split(separator: ".").last.map(String.init) ?? ""
        guard path.contains("."), let type = AudioFileType(pathExtension: ending) else {
            throw Refusal("the extension of \(path) is not that of a sound file")
        }
        frames = Int64((length * Double(format.sampleRate)).rounded())
        (self.path, self.type, self.format) = (path, type, format)
    }

    /// The format of each input of the mixer.
    var mono: AudioFormat { AudioFormat(sampleRate: format.sampleRate, channels: 1) }

    /// Returns a writer of a new file. If its type permits, the file keeps every bit of the rendered sound.
    func writer() throws(AudioFileError) -> AudioFileWriter {
        let encoding: AudioFileEncoding? =
            switch type {
            case .wav, .aiff, .caf: .float32
            case .flac: .int24
            case .mp3, .mp4, .adts, .oggVorbis, .opus: nil
            }
        return try AudioFileWriter(
            path: path, fileFormat: AudioFileFormat(
                type: type, sampleRate: format.sampleRate, channels: format.channels, encoding: encoding))
    }

    /// Prints the result of a recording.
    /// - Throws: the error that made the file incomplete, if there was one.
    func tell(of recording: Recording) throws(AudioFileError) {
        print("\(path): \(recording.framesWritten) frames, \(recording.framesDropped) dropped")
        for gap in recording.gaps { print("\(gap.count) frames are missing before frame \(gap.frame)") }
        if let error = recording.error { throw error }
    }
}
