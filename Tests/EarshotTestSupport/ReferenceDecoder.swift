// SPDX-License-Identifier: GPL-3.0-or-later

/// The mpg123 program as a reference: tests compare the played samples with its output for the whole file.
public enum ReferenceDecoder {
    /// - Returns: interleaved 32-bit floats, little-endian, at the file's own sample rate and channel count; trimmed
    ///   as the gapless tag specifies.
    public static func samples(of file: some Collection<UInt8>) throws(ProgramRun.Failure) -> [UInt8] {
        let scratch = ScratchDirectory()
        return try samples(path: scratch.write(file, to: "file.mp3"))
    }

    /// Returns the samples of the file at `path`.
    public static func samples(path: String) throws(ProgramRun.Failure) -> [UInt8] {
        let outcome = try ProgramRun.run(["mpg123", "-q", "-e", "f32", "-s", path])
        guard outcome.status == 0 else { throw ProgramRun.Failure(description: "mpg123: \(outcome.errors)") }
        return outcome.output
    }
}
