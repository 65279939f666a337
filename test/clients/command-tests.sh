#!/usr/bin/env bash
# kubectl's own command tests (test/cmd of the k8s.io/kubernetes module) against a server that runs already: Wavetank's, or the real one of ../shared/peers.
#   command-tests.sh KUBECONFIG OUT [FUNCTION...]
# KUBECONFIG's first cluster and token are used; OUT gets a copy of the suite, a log for each function and results.txt (`pass NAME` or `fail NAME`).
# Without functions all run, in upstream's order. Both servers want a controller manager, no nodes, no scheduler, and the addresses of services that the tests
# know: `wavetank up --nodes 0 --no-scheduler --service-cluster-ip-range 10.0.0.0/24`; `API_FLAGS=--service-cluster-ip-range=10.0.0.0/24 control-plane.sh up`.
# Upstream runs them with `--authorization-mode RBAC,AlwaysAllow --disable-admission-plugins ServiceAccount,DefaultStorageClass,DefaultTolerationSeconds,MutatingAdmissionWebhook,ValidatingAdmissionWebhook,StorageObjectInUseProtection`.
# KUBECTL names the kubectl of that release, KUBECTL_CONVERT the plugin; LIMIT (300) is how many seconds a function may take.
set -uo pipefail
[ $# -ge 2 ] || { sed -n 2,8p "$0"; exit 2; }
config=$(realpath "$1"); mkdir -p "$2"; RESULTS=$(realpath "$2"); shift 2; ONLY=" $* "
source_tree=$(go env GOMODCACHE)/k8s.io/kubernetes@v${KUBE:-1.36.3}; KUBECTL=${KUBECTL:-$HOME/.cache/wavetank-peers/bin/kubectl}
server=$("$KUBECTL" --kubeconfig "$config" config view --raw -o 'jsonpath={.clusters[0].cluster.server}')
TOKEN=$("$KUBECTL" --kubeconfig "$config" config view --raw -o 'jsonpath={.users[0].user.token}')
# The kubeconfig of the control plane that writes its tokens to a file names it in plain; both have one.
[ -n "$TOKEN" ] || { echo "$config has no token"; exit 2; }

tree=$RESULTS/kubernetes; mkdir -p "$tree/test" "$tree/third_party" "$tree/_output/bin" "$RESULTS/logs"
if [ ! -d "$tree/hack" ]; then
  for part in hack test/cmd test/fixtures test/e2e/testing-manifests third_party/forked cluster; do
    mkdir -p "$tree/$(dirname "$part")"; cp -r "$source_tree/$part" "$tree/$(dirname "$part")/"
  done
  chmod -R u+w "$tree"
  find "$tree/test/cmd" "$tree/hack" "$tree/test/fixtures/pkg/kubectl/plugins" -type f -exec chmod +x {} +  # modules have no modes
fi
# Upstream's server asks for certificates of a CA of this name; another may be called otherwise.
authority=$(openssl s_client -connect "${server#https://}" < /dev/null 2> /dev/null | sed -n '/Acceptable client certificate CA names/{n;s/.*CN *= *//p}')
sed -i "s|CN = 127\.0\.0\.1|CN = ${authority:-none}|" "$tree/hack/lib/util.sh"
grep -rl admin-token "$tree/test/cmd" | xargs -r sed -i "s|admin-token|$TOKEN|g"
ln -sf "$KUBECTL" "$tree/_output/bin/kubectl"
[ -z "${KUBECTL_CONVERT:-}" ] || ln -sf "$KUBECTL_CONVERT" "$tree/_output/bin/kubectl-convert"

# What a test takes from the network lies in the suite too: a server of this machine has it.
: > "$RESULTS/files.log"
python3 -u -m http.server 0 --bind 127.0.0.1 --directory "$tree" > "$RESULTS/files.log" 2>&1 & files=$!
until port=$(sed -n 's/.* port \([0-9]*\) .*/\1/p' "$RESULTS/files.log"); [ -n "$port" ]; do sleep 0.1; done
sed -i -E "s#https?://(raw[.a-z]*/kubernetes/kubernetes/master|127\.0\.0\.1:[0-9]+)/hack/testdata#http://127.0.0.1:$port/hack/testdata#" "$tree"/test/cmd/*.sh

cd "$tree"
export SECURE_API_PORT=${server##*:} ALLOW_SKEW=1 TERM=xterm KUBE_TEMP=$RESULTS/temp TMPDIR=$RESULTS/temp HOME=$RESULTS/temp
rm -rf "$KUBE_TEMP"; mkdir -p "$KUBE_TEMP"
set --
source hack/lib/init.sh; source hack/lib/test.sh; source test/cmd/legacy-script.sh
trap - ERR; trap 'kill "$files"' EXIT; set +o errexit; set +o nounset
cleanup() { stop-proxy; }

: > "$RESULTS/results.txt"
# A function runs in a group of its own, so that what it leaves behind when its time is over ends with it.
record_command() {
  local name=$1 result=fail pid guard
  [ "$ONLY" = "  " ] || [[ "$ONLY" == *" $name "* ]] || return 0
  set -m; ( kube::log::install_errexit; "$@" ) > "$RESULTS/logs/$name.log" 2>&1 < /dev/null & pid=$!; set +m
  ( sleep "${LIMIT:-300}"; kill -KILL -- "-$pid" ) 2> /dev/null & guard=$!
  wait "$pid" 2> /dev/null && result=pass
  pkill -P "$guard" 2> /dev/null; kill "$guard" 2> /dev/null; wait "$guard" 2> /dev/null
  echo "$result $name" | tee -a "$RESULTS/results.txt"
}

CONTEXT=test
kubectl config set-credentials test-admin --token "$TOKEN" > /dev/null
kubectl config set-cluster local --insecure-skip-tls-verify --server "https://127.0.0.1:$SECURE_API_PORT" > /dev/null
kubectl config set-context "$CONTEXT" --user test-admin --cluster local > /dev/null
kubectl config use-context "$CONTEXT" > /dev/null
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1 -subj /CN=any -keyout "$TMPDIR/apiserver.key" -out "$TMPDIR/apiserver.crt" 2> /dev/null  # some tests read one
kubectl delete storageclass --all > /dev/null 2>&1  # a cluster with a driver has a class, and the tests expect none
kubectl create -f - <<< '{"kind":"Node","apiVersion":"v1","metadata":{"name":"127.0.0.1","annotations":{"save-managers":"true"}},"status":{"capacity":{"memory":"1Gi"}}}' > /dev/null 2>&1
for group in authenticated unauthenticated; do kubectl create clusterrolebinding "all-$group" --clusterrole=cluster-admin --group="system:$group"; done > /dev/null 2>&1  # upstream runs them with AlwaysAllow
export SUPPORTED_RESOURCES="*"
SUPPORTED_RESOURCES=("*")
runTests > "$RESULTS/logs/suite.log" 2>&1
echo "passed $(grep -c ^pass "$RESULTS/results.txt") of $(wc -l < "$RESULTS/results.txt")"
