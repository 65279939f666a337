#!/usr/bin/env bash
# server.sh FLAGS…: starts Wavetank as the bare API server that a test expects, with those of upstream's flags that it has. Says `READY KUBECONFIG`, or
# `FAILED WHY`, and ends with its standard input.
args=(); off=ServiceAccount mode=--authorization-mode=AlwaysAllow range=10.0.0.0/24  # upstream's defaults
for flag in "$@"; do case $flag in
  --disable-admission-plugins=*) off=${flag#*=} ;;
  --authorization-mode=*) mode=$flag ;;
  --authorization-config=*) mode=$flag ;;
  --service-cluster-ip-range=*) range=${flag#*=} ;;
  --cert-dir=* | --secure-port=* | --bind-address=* | --etcd-* | --kubeconfig=* | --authentication-kubeconfig=* | --authentication-skip-lookup* | --authorization-kubeconfig=*) ;;
  --admission-control-config-file=* | --anonymous-auth=* | --api-audiences=* | --audit-log-* | --audit-policy-file=* | --authentication-* | --authorization-* | --client-ca-file=* | \
  --enable-admission-plugins=* | --enable-bootstrap-token-auth* | --feature-gates=* | --oidc-* | --runtime-config=* | --service-account-* | --token-auth-file=*) args+=("$flag") ;;
esac; done
folder=$(mktemp -d); log=$folder/log kubeconfig=$folder/kubeconfig
export WAVETANK_HOME=$folder/home
cd "$(dirname "$0")/../../.." || exit 1
node build/with-node.mjs engine/host/entry.ts up --name "integration-$$" --no-ui --port 0 --kubeconfig "$kubeconfig" --nodes 0 --controllers='-*' --scheduler=false --no-warm-up \
  --disable-admission-plugins="$off" --service-cluster-ip-range="$range" $mode "${args[@]}" > "$log" 2>&1 & server=$!
trap 'kill $server 2> /dev/null; wait $server; rm -rf "$folder"' EXIT
for _ in $(seq 300); do
  grep -q 'is ready' "$log" && { echo "READY $kubeconfig"; cat > /dev/null; exit; }
  kill -0 $server 2> /dev/null || break
  sleep 0.1
done
echo "FAILED $(head -3 "$log" | tr '\n' ' ')"
