#!/usr/bin/env bash
# Makes stand-ins for the two images that the Dockerfile starts from, out of Debian's packages and the Rust of
# this machine, under the names that the Dockerfile knows. `cargo xtask image` calls this where no registry of
# images can be reached; where one can, the real images are used and this is not needed.
#
#   deploy/image/stand-ins.sh RUST_IMAGE RUNTIME_IMAGE FOLDER
#
# It needs root, debootstrap and a running Docker; FOLDER keeps the packages for the next time.
set -euo pipefail

rust_image=$1
runtime_image=$2
folder=$3
docker=${DOCKER:-docker}
# The release that both images are built on.
suite=bookworm

mkdir -p "$folder/packages"
packages=$(cd "$folder/packages" && pwd)
work=$(mktemp -d "$packages/../work.XXXXXX")
# Nothing else goes, should debootstrap have been cut off with something mounted.
trap 'rm -rf --one-file-system "$work"' EXIT

# What the compiler's image has: Debian, a linker, the headers of C, and Rust. The packages of the runtime's
# image are fetched along with it.
make_rust() {
    local root=$work/rust toolchain
    toolchain=$(rustc --print sysroot)
    debootstrap --variant=minbase --cache-dir="$packages" \
        --include=ca-certificates,gcc,libc6-dev,libgomp1,libssl3,libstdc++6,media-types,netbase,tzdata \
        "$suite" "$root"
    rm -rf "$root"/var/cache/apt/archives/*.deb "$root"/var/lib/apt/lists/*
    mkdir -p "$root/usr/local/rust"
    cp -a "$toolchain/bin" "$toolchain/lib" "$root/usr/local/rust"
    tar -C "$root" -c . | "$docker" import \
        --change 'ENV PATH=/usr/local/rust/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' \
        --change 'CMD ["bash"]' - "$rust_image"
    rm -rf "$root"
}

# What distroless/cc has: the C library and what comes with a compiler, certificates, time zones, an account
# without rights, and no program at all. The label is inherited: it tells what an image was not built for.
make_runtime() {
    local root=$work/runtime package newest
    mkdir -p "$root"
    for package in base-files ca-certificates libc6 libgcc-s1 libgomp1 libssl3 libstdc++6 media-types netbase tzdata; do
        newest=$(printf '%s\n' "$packages/${package}"_*.deb | sort --version-sort | tail -n 1)
        dpkg-deb --fsys-tarfile "$newest" | tar -C "$root" -x
    done
    rm -rf "${root:?}"/usr/share/{doc,lintian,locale,man} "${root:?}"/{,usr/}{bin,sbin}
    find "$root/usr/share/ca-certificates" -name '*.crt' -exec cat {} + >"$root/etc/ssl/certs/ca-certificates.crt"
    printf '%s\n' 'root:x:0:0:root:/root:/sbin/nologin' 'nobody:x:65534:65534:nobody:/nonexistent:/sbin/nologin' \
        'nonroot:x:65532:65532:nonroot:/home/nonroot:/sbin/nologin' >"$root/etc/passwd"
    printf '%s\n' 'root:x:0:' 'nobody:x:65534:' 'nonroot:x:65532:' >"$root/etc/group"
    install -d -o 65532 -g 65532 -m 700 "$root/home/nonroot"
    tar -C "$root" -c . | "$docker" import \
        --change 'ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' \
        --change 'ENV SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt' \
        --change 'LABEL arbiter.base=stand-in' \
        --change 'USER 65532' --change 'WORKDIR /home/nonroot' - "$runtime_image"
}

make_rust
make_runtime
