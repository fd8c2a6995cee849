# A release pins both images by digest.
ARG SWIFT_IMAGE=swift:6.3-bookworm
ARG RUNTIME_IMAGE=debian:bookworm-slim

FROM ${SWIFT_IMAGE} AS build
RUN apt-get update \
    && apt-get install -y --no-install-recommends libssl-dev zlib1g-dev \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY Package.swift ./
COPY Sources ./Sources
COPY Tests ./Tests
RUN swift build -c release --static-swift-stdlib --product bridgehost \
    && strip -o /bridgehost .build/release/bridgehost

FROM ${RUNTIME_IMAGE}
RUN apt-get update \
    && apt-get install -y --no-install-recommends libssl3 libstdc++6 zlib1g \
    && rm -rf /var/lib/apt/lists/*
COPY --from=build /bridgehost /usr/local/bin/bridgehost
COPY config /etc/bridgehost/config
COPY public /etc/bridgehost/public
RUN mkdir -p /etc/bridgehost/secrets
ENV BRIDGEHOST_CONFIG=/etc/bridgehost/config \
    BRIDGEHOST_PUBLIC=/etc/bridgehost/public \
    BRIDGEHOST_LISTENERS_0_ADDRESS=0.0.0.0 \
    BRIDGEHOST_LISTENERS_1_ADDRESS=0.0.0.0
VOLUME ["/etc/bridgehost/config", "/etc/bridgehost/public", "/etc/bridgehost/secrets"]
USER 10001:10001
EXPOSE 8443 8080
HEALTHCHECK --interval=10s --timeout=4s --start-period=5s CMD ["bridgehost", "healthcheck"]
ENTRYPOINT ["bridgehost"]
