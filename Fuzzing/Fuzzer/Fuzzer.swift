// SPDX-License-Identifier: GPL-3.0-or-later
import CFuzzer
import Glibc

/// The program `Fuzzer TARGET [options and folders of libFuzzer]`. Without a target it prints the names of all
/// targets.
@main
enum Fuzzer {
    static func main() {
        let arguments = CommandLine.arguments
        guard arguments.count > 1, let target = FuzzTarget.named(arguments[1]) else {
            for target in FuzzTarget.all { print(target.name) }
            return
        }
        chosen = target
        exit(run([arguments[0]] + arguments[2...] + seeds(of: target, beside: arguments[2...])))
    }

    /// Returns the seed folders, or none if the arguments contain files: then only these files are run. A target has a
    /// folder of its own after its first finding; libFuzzer exits if a folder is missing.
    private static func seeds(of target: FuzzTarget, beside arguments: ArraySlice<String>) -> [String] {
        let isReplay = arguments.contains { isKind(S_IFREG, $0) }
        return isReplay ? [] : target.seedFolders.filter { isKind(S_IFDIR, $0) }
    }

    private static func isKind(_ kind: mode_t, _ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == kind
    }

    private static func run(_ arguments: [String]) -> CInt {
        var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        var count = CInt(arguments.count)
        return words.withUnsafeMutableBufferPointer { words in
            var first = words.baseAddress
            return LLVMFuzzerRunDriver(&count, &first) { bytes, length in
                Fuzzer.take(UnsafeRawBufferPointer(start: bytes, count: length))
            }
        }
    }

    private static func take(_ bytes: UnsafeRawBufferPointer) -> CInt {
        do {
            try chosen.run(bytes)
        } catch {
            // libFuzzer treats this as a crash and keeps the bytes.
            let words = Array("\(error)\n".utf8)
            _ = write(STDERR_FILENO, words, words.count)
            abort()
        }
        return 0
    }

    /// Written once, before libFuzzer's loop begins, on the only thread.
    nonisolated(unsafe) private static var chosen = FuzzTarget.all[0]
}
