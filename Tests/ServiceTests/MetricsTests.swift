import HTTP
import Server
import Testing

@testable import Service

@Suite("Metrics")
struct MetricsTests {
    @Test("are written as Prometheus reads them: help, type, samples; values and help can break no line")
    func writes() {
        var writer = MetricsWriter()
        writer.add("up", .gauge, "Is it\nup\\?", 1)
        writer.add(
            "seen_total",
            .counter,
            "Seen.",
            label: "who",
            [(value: "a\"b\\\n", count: 2), (value: "c", count: 3)]
        )
        let text = #"""
            # HELP up Is it\nup\\?
            # TYPE up gauge
            up 1
            # HELP seen_total Seen.
            # TYPE seen_total counter
            seen_total{who="a\"b\\\n"} 2
            seen_total{who="c"} 3

            """#
        #expect(writer.text == text)
    }

    @Test("of histograms have each bucket with those below it, the sum and the count")
    func writesHistograms() {
        var histogram = MetricsWriter.Histogram(label: "b", bounds: [0.5, 2])
        histogram.add([1, 2, 3], sum: 9.5)
        histogram.add([1, 0, 0], sum: 0.25)
        var writer = MetricsWriter()
        writer.add("wait_seconds", "Waits.", label: "a", [histogram])
        let text = #"""
            # HELP wait_seconds Waits.
            # TYPE wait_seconds histogram
            wait_seconds_bucket{a="b",le="0.5"} 2
            wait_seconds_bucket{a="b",le="2.0"} 4
            wait_seconds_bucket{a="b",le="+Inf"} 7
            wait_seconds_sum{a="b"} 9.75
            wait_seconds_count{a="b"} 7

            """#
        #expect(writer.text == text)
    }

    @Test("have a label of their own for each reason, in lower case")
    func namesReasons() {
        let labels = CloseReason.allCases.map(\.label)
        #expect(Set(labels).count == labels.count)
        #expect(labels.allSatisfy { $0.allSatisfy { $0 == "_" || $0.isLowercase } })
    }

    @Test("are told to the admin alone, to GET and HEAD, as text of their version")
    func tells() throws {
        let site = try TestSite(TestFolder().load())
        let answer = try site.get("/metrics", host: "10.0.0.7", at: .admin)
        #expect(answer.status == 200)
        #expect(answer.value("content-type") == "text/plain; version=0.0.4; charset=utf-8")
        #expect(answer.value("cache-control") == "no-store")
        #expect(answer.values("content-security-policy").count == 1)
        #expect(answer.text.contains("\nbridgehost_build_info{version=\"\(version)\"} 1\n"))
        #expect(answer.text.contains("\nprocess_open_fds "))
        #expect(try site.ask("HEAD /metrics HTTP/1.1\r\nHost: a\r\n\r\n", at: .admin).content.isEmpty)
        #expect(try site.ask("POST /metrics HTTP/1.1\r\nHost: a\r\n\r\n", at: .admin).status == 405)
        #expect(try site.get("/metrics").status == 404)
    }
}
