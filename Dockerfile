# Two images: `arbiter`, the service, which is the last stage and so the default, and `arbiter-load`, the load
# generator. docs/operations.md says how they are built and run.

# Both come from elsewhere with a mirror, or another Rust with another tag.
ARG RUST_IMAGE=docker.io/library/rust:1.95.0-slim-bookworm
ARG RUNTIME_IMAGE=gcr.io/distroless/cc-debian12:nonroot

# The manifests, and sources that say nothing. Whatever changes in the code, this comes out the same, and so
# does the next stage, which is then taken from the cache.
FROM ${RUST_IMAGE} AS manifests
WORKDIR /src
COPY . .
RUN find . -type f ! -name Cargo.toml ! -name Cargo.lock ! -name lib.rs ! -name main.rs ! -name build.rs \
        ! -path '*/benches/*' -delete \
    && find . -type f -name '*.rs' -exec sh -c 'for file; do echo "#![allow(warnings)] fn main() { }" >"$file"; done' stubs {} + \
    && find . -type d -empty -delete

# All that the two programs depend on, compiled.
FROM ${RUST_IMAGE} AS dependencies
# Nobody debugs in an image without a shell: no lines, no symbols.
ENV CARGO_PROFILE_RELEASE_DEBUG=0 \
    CARGO_PROFILE_RELEASE_STRIP=symbols
WORKDIR /src
COPY --from=manifests /src .
# The secret `ca` is a bundle of certificates, for networks in which a proxy stands before crates.io.
RUN --mount=type=secret,id=ca \
    if [ -f /run/secrets/ca ]; then export CARGO_HTTP_CAINFO=/run/secrets/ca; fi \
    && cargo build --locked --release --package server --bin arbiter \
    && cargo build --locked --release --package loadtest --bin arbiter-load

# Cargo goes by time stamps, and sources may be older than what was compiled in their place.
FROM dependencies AS sources
COPY . .
RUN find crates -name '*.rs' -exec touch {} +

FROM sources AS build
RUN cargo build --frozen --release --package server --bin arbiter

FROM sources AS build-load
RUN cargo build --frozen --release --package loadtest --bin arbiter-load

FROM ${RUNTIME_IMAGE} AS arbiter-load
ARG RUNTIME_IMAGE
# The version of Cargo.toml; `cargo xtask deploy` compares them.
ARG VERSION=0.1.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="arbiter-load" \
      org.opencontainers.image.description="Load generator for Arbiter that checks every answer" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.licenses="MIT OR Apache-2.0" \
      org.opencontainers.image.base.name="${RUNTIME_IMAGE}"
COPY LICENSE-MIT LICENSE-APACHE /usr/share/doc/arbiter/
COPY --from=build-load /src/target/release/arbiter-load /usr/local/bin/arbiter-load
USER 65532:65532
ENTRYPOINT ["/usr/local/bin/arbiter-load"]

# No HEALTHCHECK: it would need a program in the image. Whoever runs it asks the gRPC health service, or /readyz.
FROM ${RUNTIME_IMAGE} AS arbiter
ARG RUNTIME_IMAGE
ARG VERSION=0.1.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="arbiter" \
      org.opencontainers.image.description="gRPC service that referees chess and xiangqi, and searches for the best moves" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.licenses="MIT OR Apache-2.0" \
      org.opencontainers.image.base.name="${RUNTIME_IMAGE}"
COPY LICENSE-MIT LICENSE-APACHE /usr/share/doc/arbiter/
COPY --from=build /src/target/release/arbiter /usr/local/bin/arbiter
# A container has a network of its own: on its loopback address nobody would reach the service.
ENV ARBITER_LISTEN=0.0.0.0:50051 \
    ARBITER_ADMIN_LISTEN=0.0.0.0:9464
EXPOSE 50051 9464
# By number, so that Kubernetes can see that it is not root.
USER 65532:65532
ENTRYPOINT ["/usr/local/bin/arbiter"]
