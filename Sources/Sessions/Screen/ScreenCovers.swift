// SPDX-License-Identifier: GPL-3.0-or-later
import EpisodeLibrary
import FullScreen
import Glibc
import HTTPTransfer
import Logging
import Media
import Screens
import Subscriptions
import Synchronization
import TerminalInterface

/// The covers of the screen: pictures of feeds, drawn by the program `chafa` if it is installed. The drawings are kept
/// beside the pictures.
final class ScreenCovers: Sendable {
    /// The form in which chafa draws.
    enum Form: String { case symbols, ascii, kitty, sixels }

    private let box: ScreenMailbox
    private let access: SharedLibrary
    private let files = CoverFiles()
    /// Its thread wakes now and then, so it exists only after a cover was fetched.
    private let transport = Mutex<CurlTransport?>(nil)
    private let form: Mutex<(form: Form, hasColours: Bool)>
    private let program = ScreenCovers.programPath

    init(_ box: ScreenMailbox, _ access: SharedLibrary, hasColours: Bool, isUnicode: Bool) {
        (self.box, self.access) = (box, access)
        form = Mutex((isUnicode ? .symbols : .ascii, hasColours))
    }

    private func openTransport() -> CurlTransport {
        transport.withLock { transport in
            if let transport { return transport }
            let new = CompositionRoot.transport(logger: CompositionRoot.logger(.error))
            transport = new
            return new
        }
    }

    /// Lets the terminal draw the pictures.
    func use(_ pictures: TerminalAbilities.Pictures) {
        form.withLock { $0.form = pictures == .kitty ? .kitty : .sixels }
    }

    func stop() { transport.withLock { $0 }?.shutdown() }

    /// Answers with the cover, or with none after any failure: a cover is never worth an error.
    func load(_ request: CoverRequest) {
        let (form, hasColours) = form.withLock { $0 }
        guard let program, request.columns > 0, request.rows > 0 else { return box.send(.cover(request, .none)) }
        Task { [self] in
            guard let drawing = await drawing(request, form, hasColours, by: program) else {
                return box.send(.cover(request, .none))
            }
            switch form {
            case .kitty, .sixels:
                box.send(.picture(request, drawing))
                box.send(.cover(request, .drawnByTerminal))
            case .symbols, .ascii:
                let text = String(decoding: drawing, as: UTF8.self)
                let cells = SymbolPicture.cells(text, columns: request.columns, rows: request.rows)
                box.send(.cover(request, .cells(cells)))
            }
        }
    }

    private func drawing(
        _ request: CoverRequest, _ form: Form, _ hasColours: Bool, by program: String
    ) async -> [UInt8]? {
        guard let source = await source(of: request),
            let picture = await files.file(of: source, over: { self.openTransport() })
        else { return nil }
        let colours = hasColours ? "16" : "none"
        let size = "\(request.columns)x\(request.rows)"
        let drawn = "\(picture)-\(form.rawValue)-\(colours)-\(size)"
        return await DiskWork.run { [files] () throws(Never) -> [UInt8]? in
            if let kept = files.read(drawn) { return kept }
            let output = Self.run(program, form, colours, size, picture)
            if let output { files.write(output, to: drawn) }
            return output
        }
    }

    private func source(of request: CoverRequest) async -> CoverFiles.Source? {
        await DiskWork.run { [access] () throws(Never) in
            do throws(LibraryError) {
                // The address in the request is shown without its secrets.
                return try CoverFiles.source(of: request.episode, isOwn: request.image != nil, in: access.library())
            } catch {
                return nil
            }
        }
    }

    // MARK: chafa

    private static let programPath: String? = {
        let folders = (CompositionRoot.environment("PATH") ?? "").split(separator: ":").filter { $0.hasPrefix("/") }
        return folders.map { "\($0)/chafa" }.first { Glibc.access($0, X_OK) == 0 }
    }()

    private static func run(_ program: String, _ form: Form, _ colours: String, _ size: String, _ path: String)
        -> [UInt8]?
    {
        var arguments = ["--size", size, "--animate", "off"]
        switch form {
        case .symbols: arguments += ["--format", "symbols", "--colors", colours, "--symbols", "block+border+space"]
        case .ascii: arguments += ["--format", "symbols", "--colors", colours, "--symbols", "ascii"]
        case .kitty, .sixels: arguments += ["--format", form.rawValue]
        }
        guard let child = try? ChildProcess(program, arguments + ["--", path], .captured), let output = child.output
        else { return nil }
        var result: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            let count = Glibc.read(output.number, &buffer, buffer.count)
            if count > 0 { result += buffer[..<count] }
            if count == 0 || count < 0 && errno != EINTR { break }
        }
        return child.wait() == 0 && !result.isEmpty ? result : nil
    }
}
