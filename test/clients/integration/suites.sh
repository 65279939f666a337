#!/usr/bin/env bash
# Upstream's own integration tests of kube-apiserver and apiextensions-apiserver (test/integration of their Go modules), with the server that each test
# starts replaced by Wavetank: `suites.sh OUT [SUITE...]`, SUITE as `apiextensions` or a folder below k8s.io/kubernetes/test/integration (`auth`,
# `apiserver/cel`; without one, those below). OUT gets changed copies of both modules, test binaries, a log for each suite and results.txt. Flags of the
# tests go to `server.sh`, which passes on those that `wavetank up` has; feature gates that a test sets are passed too.
# Tests that reach into etcd (one at 127.0.0.1:2379 keeps those of apiextensions from waiting for it), change their server's code in process, start several servers on one store or set clients' authorities in process cannot hold;
# those of "every resource" name kinds of our own as unknown. Needs peers (`build.sh control-plane etcd`) and Go; FLAGS are flags of the test binaries
# (`-test.run …`, `-test.skip …`), LIMIT (600) the seconds of a suite.
set -uo pipefail
[ $# -ge 1 ] || { sed -n 2,9p "$0"; exit 2; }
here=$(cd "$(dirname "$0")" && pwd); mkdir -p "$1"; out=$(realpath "$1"); shift
peers=${PEERS:-$HOME/.cache/wavetank-peers}; kube=${KUBE:-1.36.3}; modules=$(go env GOMODCACHE)/k8s.io
[ $# -gt 0 ] || set -- apiextensions apiserver apiserver/apply apiserver/cel apiserver/admissionwebhook auth client configmap dryrun events evictions namespace objectmeta pods quota secrets serviceaccount

if [ ! -f "$out/go.mod" ]; then
  cp -r "$modules/apiextensions-apiserver@v0.${kube#*.}" "$out/apiextensions"; cp -r "$modules/kubernetes@v$kube" "$out/kubernetes"
  chmod -R u+w "$out/apiextensions" "$out/kubernetes"
  find "$out/kubernetes/test/integration" -name '*.sh' -exec chmod +x {} +  # modules have no modes
  node "$here/changed.mjs" "$out" "$here"
  cp "$peers/kube/go.sum" "$out/"; sed 's/^module .*/module integration/' "$peers/kube/go.mod" > "$out/go.mod"
  (cd "$out" && go mod edit -replace k8s.io/apiextensions-apiserver=./apiextensions -replace k8s.io/kubernetes=./kubernetes)
fi

export WAVETANK_SERVER=$here/server.sh PATH=$PATH:$peers/bin
: > "$out/results.txt"
for suite in "$@"; do
  name=${suite//\//_}
  if [ "$suite" = apiextensions ]; then package=k8s.io/apiextensions-apiserver/test/integration folder=apiextensions/test/integration
  else package=k8s.io/kubernetes/test/integration/$suite folder=kubernetes/test/integration/$suite; fi
  # Some tests look for the name of their own binary among managers.
  binary=$out/bin/$name/${package##*/}.test
  (cd "$out" && go test -vet=off -mod=mod -trimpath -c -o "$binary" "$package") > "$out/$name.build.log" 2>&1 || { echo "not built $suite" | tee -a "$out/results.txt"; continue; }
  (cd "$out/$folder" && timeout "${LIMIT:-600}" "$binary" -test.v ${FLAGS:-}) > "$out/$name.log" 2>&1; code=$?
  count() { grep -cE "^ *--- $1" "$out/$name.log"; }
  echo "$suite: exit $code, passed $(count PASS), failed $(count FAIL), skipped $(count SKIP)" | tee -a "$out/results.txt"
done
