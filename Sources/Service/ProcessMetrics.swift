internal import Synchronization
internal import System

/// The process, under the names that every exporter uses, and which program it runs.
///
/// What the kernel tells of it stands in files, for which no request waits: it is as old as the last refresh.
final class ProcessMetrics: MetricsSource {
    private let descriptors = Atomic<Int>(unknown)
    private let resident = Atomic<Int>(unknown)
    private static let unknown = -1

    init() { refresh() }

    func refresh() {
        // While no file can be opened the last numbers stand.
        if let count = ProcessFacts.openDescriptors { descriptors.store(count, ordering: .relaxed) }
        if let bytes = ProcessFacts.residentBytes { resident.store(bytes, ordering: .relaxed) }
    }

    func write(into writer: inout MetricsWriter) {
        writer.add(
            "bridgehost_build_info",
            .gauge,
            "1, with the program's version.",
            label: "version",
            [(value: version, count: 1)]
        )
        let open = descriptors.load(ordering: .relaxed)
        if open != Self.unknown {
            writer.add("process_open_fds", .gauge, "File descriptors that are open.", open)
        }
        writer.add("process_max_fds", .gauge, "File descriptors that may be open.", ProcessFacts.descriptorLimit)
        let bytes = resident.load(ordering: .relaxed)
        if bytes != Self.unknown {
            writer.add("process_resident_memory_bytes", .gauge, "Memory that is resident, in bytes.", bytes)
        }
    }
}
