internal import JSON
internal import System

/// The pages of `public/`, and the files that are put into them.
struct PageFiles {
    let directory: String
    var files = KnownFiles()

    /// Reads a page; what is wrong with it is reported.
    ///
    /// - Parameter mention: the file that names the page, if one does.
    func read(
        _ name: String,
        allowsInlineStyles: Bool,
        mention: String?,
        problems: ProblemCollector
    ) -> PageTemplate? {
        let path = directory + "/" + name
        let bytes: [UInt8]
        do {
            bytes = try files.bytes(of: path)
        } catch {
            problems.report(.unreadablePage(path, reason: error.reason, mention: mention))
            return nil
        }
        let result = PageReader.read(
            bytes,
            name: name,
            allowsInlineStyles: allowsInlineStyles,
            readAsset: readAsset
        )
        report(result.findings, in: path, bytes, problems)
        return result.template
    }

    /// Reads a script that is put into pages by itself, with line ends as browsers hash them.
    func readScript(_ name: String, problems: ProblemCollector) -> [UInt8]? {
        let path = directory + "/" + name
        switch readAsset(name) {
        case .failure(let failure):
            problems.report(.unreadablePage(path, reason: failure.reason, mention: nil))
            return nil
        case .success(let bytes):
            let findings = PageReader.assetFindings(bytes, endTag: "</script")
            report(findings, in: path, bytes, problems)
            return findings.isEmpty ? PageReader.normalizingLineEnds(bytes) : nil
        }
    }

    private func readAsset(_ name: String) -> Result<[UInt8], PageReader.AssetFailure> {
        do {
            return .success(try files.bytes(of: directory + "/" + name))
        } catch {
            return .failure(PageReader.AssetFailure(reason: error.reason))
        }
    }

    private func report(
        _ findings: [PageReader.Finding],
        in path: String,
        _ bytes: [UInt8],
        _ problems: ProblemCollector
    ) {
        for finding in findings {
            let file = finding.file.map { directory + "/" + $0 } ?? path
            problems.report(.page(finding, file: file, position: position(of: finding, in: bytes)))
        }
    }

    /// Line and column, counted as an editor does, after line ends became LF.
    private func position(of finding: PageReader.Finding, in page: [UInt8]) -> Position? {
        guard let offset = finding.offset else { return nil }
        let raw = finding.file.map { (try? readAsset($0).get()) ?? [] } ?? page
        let text = PageReader.normalizingLineEnds(raw).prefix(offset)
        let line = text.count { $0 == UInt8(ascii: "\n") } + 1
        let lineStart = text.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        let column = text[lineStart...].count { $0 & 0xC0 != 0x80 } + 1
        return Position(line: line, column: column)
    }
}
