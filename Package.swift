// swift-tools-version: 6.2

import PackageDescription

let swiftSettings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// A room of the house: one Swift target and the test target that proves it.
func room(
    _ name: String,
    knows dependencies: [Target.Dependency] = [],
    testsWith helpers: [Target.Dependency] = [],
    testsRead files: [String] = []
) -> [Target] {
    [
        .target(name: name, dependencies: dependencies, swiftSettings: swiftSettings),
        .testTarget(
            name: "\(name)Tests",
            dependencies: [.target(name: name)] + dependencies + helpers,
            exclude: files,
            swiftSettings: swiftSettings
        ),
    ]
}

let libraries: [Target] = [
    .target(name: "CLinux"),
    .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
]

let rooms: [Target] = [
    room("System", knows: ["CLinux"]),
    room("JSON"),
    room("Crypto", knows: ["COpenSSL"]),
    room("HTTP"),
    room("TLS", knows: ["COpenSSL", "Crypto", "System"]),
    room("Server", knows: ["HTTP", "TLS", "System", "Crypto"]),
    room(
        "Bridges",
        knows: ["JSON", "Crypto", "CZlib", "System"],
        testsWith: ["PolicyScorers"],
        testsRead: ["Cases"]
    ),
    room(
        "Service",
        knows: ["Server", "HTTP", "TLS", "Bridges", "JSON", "Crypto", "System"],
        testsWith: ["PolicyScorers"]
    ),
    // The rules by which others judge policies and fields, for the tests of two rooms.
    [.target(name: "PolicyScorers", path: "Tests/PolicyScorers", swiftSettings: swiftSettings)],
].flatMap(\.self)

let command: [Target] = [
    .executableTarget(
        name: "bridgehost",
        dependencies: ["Service", "Server", "Bridges", "TLS", "HTTP", "JSON", "Crypto", "System"],
        swiftSettings: swiftSettings,
        linkerSettings: [.unsafeFlags(["-Xlinker", "-z", "-Xlinker", "now"])]
    ),
    .testTarget(name: "bridgehostTests", dependencies: ["bridgehost"], swiftSettings: swiftSettings),
]

// Linked only with the fuzzer's own main, so that no other build may know of it: Tests/Fuzz/run asks for it.
let fuzzing: [Target] =
    Context.environment["BRIDGEHOST_FUZZING"] == nil
    ? []
    : [
        .executableTarget(
            name: "fuzz",
            dependencies: ["HTTP", "Server", "System", "JSON", "Crypto", "Bridges"],
            path: "Tests/Fuzz/Targets",
            swiftSettings: swiftSettings
        )
    ]

let package = Package(name: "bridgehost", targets: libraries + rooms + command + fuzzing)
