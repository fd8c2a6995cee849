internal import JSON
internal import System

/// Reads the folder of descriptors, and the pages that they name.
struct DescriptorFiles {
    /// What was read.
    struct Outcome {
        /// The usable ones, sorted by name.
        var descriptors: [BridgeDescriptor] = []
        /// The pages' templates by bridge.
        var templates: [String: PageTemplate] = [:]
        /// The bridges whose file or page is broken.
        var broken: Set<String> = []
        /// Whether the folder itself could be read.
        var isComplete = true
    }

    let source: CatalogSource
    let patterns: PatternCache

    func read(problems: ProblemCollector) -> Outcome {
        var outcome = Outcome()
        let directory = source.configDirectory + "/bridges"
        guard let names = ConfigFolder.names(in: directory, problems: problems) else {
            outcome.isComplete = false
            return outcome
        }
        var pages: [String: String] = [:]
        for name in names {
            let own = ProblemCollector()
            let pageProblems = ProblemCollector()
            let file = "\(directory)/\(name).json"
            let descriptor = read(name, file: file, problems: own)
            if let descriptor, let page = descriptor.page {
                if let other = pages.updateValue(name, forKey: page) {
                    own.report(.repeatedPage(page, bridge: other, file: file))
                }
                outcome.templates[name] = readPage(page, of: descriptor, file: file, problems: pageProblems)
            }
            if let descriptor, !own.hasErrors, !pageProblems.hasErrors {
                outcome.descriptors.append(descriptor)
            } else {
                outcome.broken.insert(name)
            }
            problems.report(own.inOrderOfText + pageProblems.problems)
        }
        return outcome
    }

    private func read(_ name: String, file: String, problems: ProblemCollector) -> BridgeDescriptor? {
        guard Name.isValid(name) else {
            problems.report(.badName(name, file: file, reserved: []))
            return nil
        }
        guard let bytes = ConfigFolder.bytes(of: file, problems: problems),
            let root = JSONReader.root(of: bytes, file: file, problems: problems)
        else { return nil }
        let descriptor = DescriptorReader(patterns: patterns).read(root, name: name)
        return problems.hasErrors ? nil : descriptor
    }

    private func readPage(
        _ page: String,
        of descriptor: BridgeDescriptor,
        file: String,
        problems: ProblemCollector
    ) -> PageTemplate? {
        let path = source.publicDirectory + "/" + page
        let bytes: [UInt8]
        do {
            bytes = try File.read(path)
        } catch {
            problems.report(.unreadablePage(path, reason: error.reason, descriptor: file))
            return nil
        }
        let result = PageReader.read(
            bytes,
            name: page,
            allowsInlineStyles: descriptor.allowsInlineStyles,
            readAsset: readAsset
        )
        for finding in result.findings {
            let found = finding.file.map { source.publicDirectory + "/" + $0 } ?? path
            problems.report(.page(finding, file: found, position: position(of: finding, in: bytes)))
        }
        return result.template
    }

    private func readAsset(_ name: String) -> Result<[UInt8], PageReader.AssetFailure> {
        do {
            return .success(try File.read(source.publicDirectory + "/" + name))
        } catch {
            return .failure(PageReader.AssetFailure(reason: error.reason))
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

extension BridgeDescriptor {
    /// Whether the page's policy lets any inline style through.
    var allowsInlineStyles: Bool {
        (sources[.styleSrc] ?? []).contains { rule in
            guard case .source(let source) = rule else { return false }
            return source.isSame(as: "'unsafe-inline'")
        }
    }
}
