/// The browser features that a page could ask for, and the field that denies all but what is switched on.
///
/// WebKit ignores the field; an app decides there. Chromium's web views obey it.
enum PermissionsPolicy {
    /// Every feature of the OWASP list, in the order in which it is written.
    static let features = [
        "accelerometer", "autoplay", "camera", "clipboard-read", "clipboard-write", "cross-origin-isolated",
        "display-capture", "encrypted-media", "fullscreen", "gamepad", "geolocation", "gyroscope", "hid",
        "idle-detection",
        "keyboard-map", "magnetometer", "microphone", "midi", "payment", "picture-in-picture",
        "publickey-credentials-get", "screen-wake-lock", "serial", "sync-xhr", "unload", "usb", "web-share",
        "xr-spatial-tracking",
    ]

    /// The field's value: `granted` maps a feature to the origins that may have it beside the page itself.
    static func text(granting granted: [String: [String]]) -> String {
        features.map { feature in
            guard let origins = granted[feature] else { return feature + "=()" }
            return feature + "=(" + (["self"] + origins.map { "\"\($0)\"" }).joined(separator: " ") + ")"
        }
        .joined(separator: ", ")
    }
}
