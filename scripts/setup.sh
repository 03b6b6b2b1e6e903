# shellcheck shell=sh
# scripts/setup.sh - sourced by ./demo, ./check and .ci/run: puts the needed packages in place.
#
#     need build tests        installs what is missing of these groups, or ends with status 1
#
# When nothing is missing it says nothing and touches no network.

# The Debian packages of one group. FLINT 3 (Debian 13 and later) includes Arb, which Debian 12 keeps in
# a package of its own.
packages() {
    case $1 in
    build)
        echo gcc libc6-dev make cmake ninja-build libflint-dev libgmp-dev \
            liblapacke-dev liblapack-dev libtcc-dev libsuitesparse-dev libsundials-dev
        [ "$(debian_release)" -ge 13 ] || echo libflint-arb-dev
        ;;
    tests) echo binutils pkg-config python3 python3-jsonschema python3-mpmath python3-numpy ;;
    python)
        echo python3-numpy python3-scipy python3-pandas python3-matplotlib python3-setuptools python3-wheel \
            python3-venv python3-pip
        ;;
    browser)
        echo chromium fonts-stix
        # Node may come from elsewhere, and then brings its own npm.
        command -v node >/dev/null 2>&1 || echo nodejs
        command -v npm >/dev/null 2>&1 || echo npm
        ;;
    ci) echo clang clang-format git shellcheck ;;
    esac
}

# The number of the Debian release: 12; 99 for testing and unstable, which have none.
debian_release() {
    (
        VERSION_ID=99
        # shellcheck disable=SC1090,SC1091
        . "${AH_OS_RELEASE:-/etc/os-release}"
        echo "${VERSION_ID%%.*}"
    )
}

installed() {
    dpkg-query -W -f '${db:Status-Status}\n' "$1" 2>/dev/null | grep -qx installed
}

need() {
    if ! command -v dpkg-query >/dev/null 2>&1; then
        echo "This is not Debian: the packages are left to you (CONTRIBUTING.md names them)." >&2
        return 0
    fi
    missing=
    for group in "$@"; do
        for package in $(packages "$group"); do
            installed "$package" || missing="$missing $package"
        done
    done
    [ -n "$missing" ] || return 0

    if [ "$(id -u)" -eq 0 ]; then
        root=
    elif command -v sudo >/dev/null 2>&1; then
        root=sudo
    else
        echo "These packages are missing, and only root may install them:$missing" >&2
        echo "As root: apt-get update && apt-get install$missing" >&2
        exit 1
    fi
    echo "Installing:$missing"
    # shellcheck disable=SC2086
    if ! { $root apt-get update -qq &&
        $root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq -o Dpkg::Use-Pty=0 \
            --no-install-recommends $missing; } >&2; then
        echo "Could not install:$missing" >&2
        exit 1
    fi
}
