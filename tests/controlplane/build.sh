#!/usr/bin/env bash
# Builds kube-apiserver, kube-controller-manager and etcd from their Go modules, once per version, into the user's cache
# and prints the folder. Needs Go; cold about 7 minutes on two cores. Usage: build.sh [--where]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
version=$(sed -n 's/^require k8s.io\/kubernetes //p' go.mod)
out=${ORK_CONTROLPLANE:-${XDG_CACHE_HOME:-$HOME/.cache}/ork/controlplane-$version}
if [ "${1:-}" != --where ] && [ ! -x "$out/etcd" ]; then
  mkdir -p "$out"
  ldflags="-s -w -X k8s.io/component-base/version.gitVersion=$version"
  go build -trimpath -ldflags "$ldflags" -o "$out/" \
    k8s.io/kubernetes/cmd/kube-apiserver k8s.io/kubernetes/cmd/kube-controller-manager
  # etcd comes last, so that its presence says that all three are there.
  go build -trimpath -ldflags '-s -w' -o "$out/etcd" ./etcd
fi
echo "$out"
