/// A Permissions-Policy: every feature that browsers know is denied unless a setting switches it on.
enum PermissionsPolicy {
    /// The features, as W3C's registry and browsers name them.
    static let features = [
        "accelerometer", "autoplay", "camera", "clipboard-read", "clipboard-write", "cross-origin-isolated",
        "display-capture", "encrypted-media", "fullscreen", "gamepad", "geolocation", "gyroscope", "hid",
        "idle-detection", "keyboard-map", "magnetometer", "microphone", "midi", "payment", "picture-in-picture",
        "publickey-credentials-get", "screen-wake-lock", "serial", "sync-xhr", "unload", "usb", "web-share",
        "xr-spatial-tracking",
    ]

    /// The value of the field (RFC 9651 dictionary).
    static func text(_ permissions: [BridgeDescriptor.Permission], isOn: (String) -> Bool) -> String {
        features.map { feature in
            guard let permission = permissions.first(where: { $0.feature == feature }),
                permission.setting.map(isOn) ?? true
            else { return "\(feature)=()" }
            let origins = permission.origins.map { " \"\($0)\"" }.joined()
            return "\(feature)=(self\(origins))"
        }.joined(separator: ", ")
    }
}
