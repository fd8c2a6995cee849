internal import JSON

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
    var files = KnownFiles()

    func read(problems: ProblemCollector) -> Outcome {
        var outcome = Outcome()
        let directory = source.configDirectory + "/bridges"
        guard let names = ConfigFolder(files).names(in: directory, problems: problems) else {
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
                outcome.templates[name] = PageFiles(directory: source.publicDirectory, files: files).read(
                    page,
                    allowsInlineStyles: descriptor.allowsInlineStyles,
                    mention: file,
                    problems: pageProblems
                )
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
        guard let bytes = ConfigFolder(files).bytes(of: file, problems: problems),
            let root = JSONReader.root(of: bytes, file: file, problems: problems)
        else { return nil }
        let descriptor = DescriptorReader(patterns: patterns).read(root, name: name)
        return problems.hasErrors ? nil : descriptor
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
