// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import Measuring

/// Checks that random seeks cause no drift, leak or stuck state: `SeekSoak SEED MINUTES (FILE REFERENCE)...`. The
/// reference is the output of `mpg123 -e f32 -s` for the file; the minutes are minutes of audio.
///
/// Prints a JSON object; fails with status 1 if a sample, a position or the resource use of the process is wrong.
@main
struct SeekSoak {
    /// The limit in KiB for the growth of the resident memory after the first tenth of the run.
    static let growthLimit = 4096

    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        let files = Array(arguments.dropFirst(2))
        guard let seed = arguments.first.flatMap({ UInt64($0) }),
            let minutes = arguments.dropFirst().first.flatMap({ Int64($0) }), minutes > 0,
            !files.isEmpty, files.count.isMultiple(of: 2)
        else { stop("usage: SeekSoak SEED MINUTES (FILE REFERENCE)...", status: 64) }
        let paths = stride(from: 0, to: files.count, by: 2).map { files[$0] }
        guard let reference = Reference(paths: stride(from: 1, to: files.count, by: 2).map { files[$0] }) else {
            stop("cannot read a reference file")
        }
        do throws(Soak.Failure) {
            try run(paths, reference, seed: seed, frames: minutes * 60 * 44100)
        } catch {
            stop("seed \(seed): \(error.reason)")
        }
    }

    private static func run(
        _ paths: [String], _ reference: Reference, seed: UInt64, frames: Int64
    ) throws(Soak.Failure) {
        var soak = try Soak(paths, reference, seed: seed)
        while soak.framesHeard < frames / 10 { try soak.step() }
        let before = ProcessUse.now
        while soak.framesHeard < frames { try soak.step() }
        let after = ProcessUse.now
        tell(soak, before, after)
        soak.stop()
        guard after.threads == before.threads, after.openFiles <= before.openFiles + paths.count,
            after.residentKilobytes <= before.residentKilobytes + growthLimit
        else { stop("seed \(seed): memory, threads or open files grew after the first tenth of the run") }
    }

    private static func tell(_ soak: Soak, _ before: ProcessUse, _ after: ProcessUse) {
        let seeks = Quantiles(soak.landings)
        print(
            "{\"sound_seconds\":\(soak.framesHeard / 44100),\"orders\":\(soak.orders),"
                + "\"frames_compared\":\(soak.framesCompared),\"mismatches\":0,"
                + "\"median_ms\":\(seeks.milliseconds(0.5)),\"p95_ms\":\(seeks.milliseconds(0.95)),"
                + "\"max_ms\":\(seeks.milliseconds(1)),"
                + "\"resident_kilobytes\":[\(before.residentKilobytes),\(after.residentKilobytes)],"
                + "\"threads\":[\(before.threads),\(after.threads)],"
                + "\"open_files\":[\(before.openFiles),\(after.openFiles)]}")
    }
}
