import Glibc

/// The readers that are fuzzed, each by the name of its folder of seeds.
enum Target: String, CaseIterable {
    case requests
    case chunks
    case connections
    case paths
    case codings
    case entityTags = "entity-tags"
    case proxyHeaders = "proxy-headers"
    case forwarded
    case json
    case descriptors
    case tenants
    case pages

    func check(_ bytes: [UInt8]) {
        switch self {
        case .requests: Requests.check(bytes)
        case .chunks: Chunks.check(bytes)
        case .connections: Connections.check(bytes)
        case .paths: Paths.check(bytes)
        case .codings: Codings.check(bytes)
        case .entityTags: EntityTags.check(bytes)
        case .proxyHeaders: ProxyHeaders.check(bytes)
        case .forwarded: Forwarded.check(bytes)
        case .json: JSONTexts.check(bytes)
        case .descriptors: Descriptors.check(bytes)
        case .tenants: Tenants.check(bytes)
        case .pages: Pages.check(bytes)
        }
    }

    /// The one that `--target=NAME` asks for; the fuzzer passes over flags of two hyphens.
    static let chosen: Target = {
        let flag = "--target="
        let name = CommandLine.arguments.first { $0.hasPrefix(flag) }?.dropFirst(flag.count)
        if let target = Target(rawValue: String(name ?? "")) { return target }
        print(flag + "NAME, one of:", allCases.map(\.rawValue).joined(separator: " "))
        exit(2)
    }()
}

@_cdecl("LLVMFuzzerTestOneInput")
func fuzzOneInput(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    // An array of its own for each input: the address sanitizer guards the byte after its last.
    Target.chosen.check(Array(UnsafeBufferPointer(start: data, count: count)))
    return 0
}
