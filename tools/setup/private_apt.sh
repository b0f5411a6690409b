# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Sourced by the scripts beside it. Fetches packages of another Debian suite without touching the
# system's own lists, sources or packages.
#
#   private_apt_open SUITE DIR [COMPONENT]    prepare DIR and read the index of SUITE's main, or of a
#                                             component
#   private_apt COMMAND...                    apt-get COMMAND on that index, inside DIR

private_apt_open() {
  private_apt_dir=$2
  # The system's mirror carries the other suites too, and only apt knows its address.
  local codename mirror
  codename=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
  mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' "Codename: $codename")
  mirror=${mirror%%$'\n'*}
  if [[ -z $mirror ]]; then
    echo "apt has no package lists of $codename: run apt-get update first" >&2
    return 1
  fi
  mkdir -p "$private_apt_dir"/{lists,cache/archives}/partial
  echo "deb $mirror $1 ${3:-main}" > "$private_apt_dir/sources.list"
  private_apt update
}

private_apt() {
  (cd "$private_apt_dir" && apt-get -qq \
    -o Dir::State::lists="$private_apt_dir/lists" \
    -o Dir::Etc::sourcelist="$private_apt_dir/sources.list" -o Dir::Etc::sourceparts=/dev/null \
    -o Dir::Cache="$private_apt_dir/cache" -o APT::Sandbox::User=root \
    -o Acquire::Check-Valid-Until=false "$@")  # mirrors may lag behind a suite that changes daily
}
