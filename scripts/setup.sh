# shellcheck shell=sh
# scripts/setup.sh - sourced by ./demo, ./check and .ci/run: puts the needed packages in place.
#
#     need build tests        installs what is missing of these groups, or ends with status 1
#
# When nothing is missing it says nothing and touches no network.

# The Debian packages of one group. FLINT 3 includes Arb; beside FLINT 2 that is a package of its own.
packages() {
    case $1 in
    build)
        echo gcc libc6-dev make cmake ninja-build libflint-dev libgmp-dev \
            liblapacke-dev liblapack-dev libtcc-dev libsuitesparse-dev libsundials-dev
        [ "$(flint_major)" -ge 3 ] || echo libflint-arb-dev
        ;;
    tests) echo binutils libsqlite3-0 pkg-config python3 python3-jsonschema python3-mpmath python3-numpy ;;
    python)
        echo python3-numpy python3-scipy python3-pandas python3-matplotlib python3-setuptools python3-wheel \
            python3-venv python3-pip mypy
        ;;
    browser)
        echo chromium fonts-stix
        # Node may come from elsewhere, and then brings its own npm.
        command -v node >/dev/null 2>&1 || echo nodejs
        command -v npm >/dev/null 2>&1 || echo npm
        ;;
    site) echo python3-markdown ;;
    packages) echo mmdebstrap ;;
    latex) echo texlive-latex-base ;;
    ci) echo clang clang-format git shellcheck ;;
    esac
}

# The major version of FLINT that is installed or that apt offers, whatever the system calls itself; 0: not known yet.
flint_major() {
    version=
    if installed libflint-dev; then version=$(dpkg-query -W -f '${Version}' libflint-dev); fi
    if [ -z "$version" ]; then version=$(apt-cache show libflint-dev 2>/dev/null | grep -m 1 '^Version:') || version=; fi
    version=${version#Version: }
    version=${version#*:} # an epoch
    version=${version%%.*}
    echo "${version:-0}"
}

installed() {
    dpkg-query -W -f '${db:Status-Status}\n' "$1" 2>/dev/null | grep -qx installed
}

find_missing() {
    for group in "$@"; do
        for package in $(packages "$group"); do
            installed "$package" || printf ' %s' "$package"
        done
    done
}

need() {
    if ! command -v dpkg-query >/dev/null 2>&1; then
        echo "This is not Debian: the packages are left to you (CONTRIBUTING.md names them)." >&2
        return 0
    fi
    missing=$(find_missing "$@")
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
    $root apt-get update -qq >&2 || { echo "Could not install:$missing" >&2; exit 1; }
    missing=$(find_missing "$@") # by what apt offers now
    echo "Installing:$missing"
    # shellcheck disable=SC2086
    if ! { $root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq -o Dpkg::Use-Pty=0 \
            --no-install-recommends $missing; } >&2; then
        echo "Could not install:$missing" >&2
        exit 1
    fi
}
