// SPDX-License-Identifier: GPL-3.0-or-later
import ControlSocket
import DesktopBus
import Media

/// The diagnostics of the control socket and of the connection to the desktop.
enum ControlDiagnostic {
    static func all(environment: [String: String]) -> [SystemReport.Diagnostic] {
        let bus =
            DesktopBus.address(environment: environment) == nil
            ? [SystemReport.Diagnostic(.remark, "there is no session bus: media keys do not reach earshot")] : []
        return socket(environment) + bus
    }

    private static func socket(_ environment: [String: String]) -> [SystemReport.Diagnostic] {
        do throws(RuntimeFolder.Failure) {
            let folder = try RuntimeFolder.open(environment: environment, creates: true)
            let place = SystemReport.Diagnostic(.good, "the control socket is \(folder.path)/control")
            return [place] + (folder.remark.map { [.init(.remark, $0)] } ?? [])
        } catch {
            return [.init(.remark, "no control socket, so other terminals cannot control earshot: \(reason(error))")]
        }
    }

    static func reason(_ failure: RuntimeFolder.Failure) -> String {
        switch failure {
        case .missing(let path): "\(path) does not exist"
        case .unsafe(let path, let reason): "\(path) \(reason)"
        case .system(let path, let error): "\(path): \(error.phrase)"
        case .noHome: "HOME is not set"
        }
    }
}
