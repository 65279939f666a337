/** Which command lines are put before the real daemons and before ours: each option with values of the wrong type, out of range and at its edges. */

/** A kubeconfig that is not there: who complains of it has taken everything before. */
export const absentKubeconfig = '/nonexistent/kubeconfig';

const odd = ['', 'x', ' ', 'a=b', 'a:b', '-', '"', 'é'];
const whole = [
  '',
  'x',
  '-1',
  '0',
  '1',
  '1.5',
  '+7',
  '070',
  '0x10',
  '1_000',
  '1e3',
  ' 1',
  '65535',
  '65536',
  '101',
  '2147483648',
  '-2147483649',
  '99999999999',
  '99999999999999999999',
];
const fraction = ['', 'x', '-1', '0', '.5', '1.', '1e3', '0x1p-2', '1_0', 'NaN', 'inf', '-Inf', '1e400', '1e39', '101', ' 1'];
const time = [
  '',
  'x',
  '5',
  '-1s',
  '0',
  '0s',
  '1s',
  '11s',
  '1d',
  '1h1h',
  '1.5h',
  '.s',
  '.',
  '+',
  '1µs',
  '1us',
  '1h-1m',
  '99999999999h',
  '1e3s',
  ' 1s',
  '999ms',
  '25h',
];
const switches = ['', 'x', 'maybe', 'T', 'tRUE', '2', '0', ' true', 'yes'];
const address = [
  '',
  'x',
  '1.2.3',
  '1.2.3.4.5',
  '::1',
  '::ffff:1.2.3.4',
  '01.2.3.4',
  '256.1.1.1',
  '1.2.3.4/24',
  ' 1.2.3.4',
  '::1%lo',
  '[::1]',
  '0.0.0.0',
];
const lists = ['', 'x', 'a,b', '"a,b"', '"a', 'a"b', ',', 'a, b', '-1', '"a"b', 'a\nb'];
const pairs = [
  '',
  'x',
  'x=',
  '=true',
  'x=maybe',
  'x=1,y',
  'NoSuchGate=true',
  'AllAlpha=true',
  'AllAlpha=x',
  'a=b=c',
  ',',
  'AllBeta=false,AllBeta=true',
  ' AllAlpha = true ',
];

/** By the type that the help names. */
const valuesOf: Readonly<Record<string, readonly string[]>> = {
  '': switches,
  int: whole,
  int32: whole,
  uint: whole,
  uint32: whole,
  int64: whole,
  ints: ['', 'x', '1', '1,2', '1,x', '99999999999', '-1', '0', ' 1', '1,,2'],
  int32Slice: ['', 'x', '1', '1,2', '1,x', '99999999999', '-1', '0', ' 1', '1,,2'],
  float: fraction,
  float32: fraction,
  float64: fraction,
  duration: time,
  ip: address,
  strings: lists,
  stringSlice: lists,
  mapStringBool: pairs,
  namedCertKey: ['', 'x', 'a,b', 'a,b,c', 'a,b:', 'a,b:c', 'a,b:c,d', ',', 'a:b,c', 'a,b:c:d', 'a,'],
  quantity: ['', 'x', '-1', '0', '1', '1Ki', '1kk', '1.5', '1e3', '99999999999999999999', 'Ki', '1 Ki'],
  severity: ['', 'x', '0', 'INFO', '-1', '7', 'warning'],
  level: whole,
  Level: whole,
  traceLocation: ['', 'x', 'a:1', 'a.go:1', 'a.go:x', 'a.go:-1', ':0', 'a.go:0'],
};

/** Words that an option may know, and some that it nearly does. */
const named: Readonly<Record<string, readonly string[]>> = {
  'cidr-allocator-type': ['RangeAllocator', 'rangeallocator', 'CloudAllocator', 'IPAMFromCluster', 'IPAMFromCloud'],
  'cloud-provider': ['external', 'aws', 'wavetank', 'External', 'fake', 'gce'],
  'cluster-cidr': [
    '10.0.0.0/16',
    '10.0.0.0',
    '10.0.0.0/33',
    '10.0.0.0/16,fd00::/48',
    '10.0.0.0/16,10.1.0.0/16',
    '10.0.0.0/16,fd00::/48,fd01::/48',
    'fd00::/108',
  ],
  'service-cluster-ip-range': ['10.0.0.0/16', '10.0.0.0', '10.0.0.0/33', '10.0.0.0/16,fd00::/108', '10.0.0.0/16,10.1.0.0/16', 'fd00::/48'],
  'feature-gates': [...pairs, 'kube:AllAlpha=true', 'nope:AllAlpha=true', 'kube:', ':AllAlpha=true', 'kube:AllAlpha=true,kube:NoSuch=1'],
  controllers: [
    '*,-job',
    'job',
    'job-controller',
    'no-such',
    '-no-such',
    '*,no-such,other',
    '-*',
    'Job',
    '*,*',
    'tokencleaner',
    'token-cleaner-controller',
  ],
  'leader-elect-resource-lock': ['leases', 'endpoints', 'configmaps', 'endpointsleases', 'configmapsleases', 'Leases', 'lease'],
  'logging-format': ['json', 'text', 'JSON', 'yaml'],
  'tls-min-version': ['VersionTLS10', 'VersionTLS13', 'VersionTLS14', '1.2', 'versiontls12'],
  'tls-cipher-suites': [
    'TLS_AES_128_GCM_SHA256',
    'TLS_AES_128_GCM_SHA256,NOPE',
    'TLS_RSA_WITH_RC4_128_SHA',
    'tls_aes_128_gcm_sha256',
    'TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256',
  ],
  'tls-curve-preferences': ['23', '24,25', '29', '23,23', '7', '4588', '65535', '65536'],
  'bind-address': address,
  address,
  'log-flush-frequency': time,
  vmodule: ['a=1', 'a=1,b', 'x=y', 'a=-1', '=1', 'a=', 'a=1=2', '*=2'],
  version: ['true', 'false', 'raw', 'v9', 'v1.36.3', 'x', 'v1.36.3-a', '1.36'],
  'show-hidden-metrics-for-version': ['1.35', '1.34', '1.36', '1.37', 'v1.35', 'x', '1.35.0', '0.1', '1'],
  'emulated-version': ['1.36', '1.35', '1.33', '1.32', '1.37', '1.2', 'kube=1.35', 'nope=1.35', 'kube=x', 'kube=1.35,kube=1.34', 'kube=1.35.1'],
  'min-compatibility-version': ['1.35', '1.36', '1.34', '1.20', 'kube=1.35', 'nope=1.35', 'kube=x', '1.37'],
  'authorization-always-allow-paths': ['/healthz', 'healthz', '*', '/a*', '/a*b', '', '/'],
  'allow-metric-labels': ['a,b=c', 'a=b', 'a,b=c,d', '=', 'metric,label='],
  'allow-metric-labels-manifest': ['/nonexistent'],
  'leader-migration-config': ['/nonexistent'],
  config: ['/nonexistent'],
  'policy-config-file': ['/nonexistent'],
  'tls-cert-file': ['/nonexistent'],
  'tls-private-key-file': ['/nonexistent'],
  'client-ca-file': ['/nonexistent'],
  'requestheader-client-ca-file': ['/nonexistent'],
  'kube-api-content-type': ['application/json', 'application/vnd.kubernetes.protobuf', 'text/plain', 'application/cbor'],
  master: ['http://127.0.0.1:1', '127.0.0.1:1', 'x', 'https://', 'ftp://x', '://', 'http://[::1'],
  'concurrent-gc-syncs': ['500', '501'],
  'algorithm-provider': ['DefaultProvider', 'ClusterAutoscalerProvider'],
  'node-cidr-mask-size': ['8', '33', '16'],
  'node-cidr-mask-size-ipv4': ['8', '33', '24'],
  'node-cidr-mask-size-ipv6': ['8', '129', '64'],
};

/** Where a value would write a file, or is what says that all was taken. */
const untried: ReadonlySet<string> = new Set(['kubeconfig', 'write-config-to', 'log-dir', 'log-file', 'cert-dir', 'help', 'log-backtrace-at']);

/** Options together, and lines that are none of one option. */
const together: readonly (readonly string[])[] = [
  ['--no-such'],
  ['--no-such=1'],
  ['-z'],
  ['-vz'],
  ['-v'],
  ['-v=1', '-v=x'],
  ['--=x'],
  ['---x'],
  ['--v'],
  ['extra'],
  ['a', 'b'],
  ['--', 'x'],
  ['--leader-elect', 'false'],
  ['--secure-port=1', '--secure-port=70000'],
  ['--secure-port=70000', '--secure-port=1'],
  ['--leader-elect=false', '--leader-elect=true'],
  ['--secure-port=70000', '--controllers=no-such'],
  ['--controllers=no-such', '--controllers=other'],
  ['--feature-gates=AllAlpha=true', '--feature-gates=NoSuchGate=true'],
  ['--feature-gates=JobPodFailurePolicy=false'],
  ['--feature-gates=NoSuchA=true,NoSuchB=true'],
  ['--leader-elect-lease-duration=5s', '--leader-elect-renew-deadline=5s'],
  ['--leader-elect-lease-duration=10s'],
  ['--leader-elect-renew-deadline=2s', '--leader-elect-retry-period=2s'],
  ['--leader-elect=false', '--leader-elect-lease-duration=1s'],
  ['--tls-cert-file=/nonexistent', '--tls-private-key-file=/nonexistent'],
  ['--tls-cert-file=/nonexistent/c', '--tls-private-key-file=/nonexistent/k', '--tls-sni-cert-key=/nonexistent/a,/nonexistent/b'],
  ['--cluster-signing-cert-file=a', '--cluster-signing-kubelet-client-cert-file=b'],
  ['--cluster-signing-key-file=a', '--cluster-signing-kubelet-client-cert-file=b', '--cluster-signing-kubelet-client-key-file=c'],
  ['--cluster-signing-kubelet-client-cert-file=b'],
  ['--cluster-signing-kubelet-client-key-file=b'],
  ['--cluster-signing-legacy-unknown-cert-file=b'],
  ['--cluster-cidr=10.0.0.0/16,fd00::/48', '--allocate-node-cidrs=true'],
  ['--allocate-node-cidrs=true', '--cluster-cidr='],
  ['--endpoint-updates-batch-period=-1s', '--concurrent-endpoint-syncs=0', '--max-endpoints-per-slice=0'],
  ['--secure_port=70000'],
  ['--Secure-Port=1'],
  ['--logging-format=json', '--vmodule=a=1'],
  ['--logging-format=json', '--log-json-split-stream=true'],
  ['--feature-gates=LoggingAlphaOptions=true', '--logging-format=json', '--log-json-split-stream=true'],
  ['--use-service-account-credentials=true', '--service-account-private-key-file='],
  ['--enable-leader-migration=true', '--leader-migration-config=/nonexistent'],
  ['--emulated-version=1.35', '--min-compatibility-version=1.36'],
  ['--emulated-version=1.35', '--emulated-version=1.34'],
];

/** Options of 1.13 that its help leaves out, as all that is deprecated. */
const hidden = [
  'allow-untagged-cloud',
  'deleting-pods-burst',
  'deleting-pods-qps',
  'failure-domains',
  'hard-pod-affinity-symmetric-weight',
  'horizontal-pod-autoscaler-downscale-delay',
  'horizontal-pod-autoscaler-upscale-delay',
  'horizontal-pod-autoscaler-use-rest-clients',
  'node-sync-period',
  'register-retry-count',
];

/** What the daemons of the other release know, and those of this one may not; and what its help does not tell. */
export function linesOfOthers(own: readonly HelpFlag[], others: readonly HelpFlag[]): readonly (readonly string[])[] {
  const known = new Set(own.map(({ name }) => name));
  const later = others.filter(({ name }) => !known.has(name) && !untried.has(name)).map(({ name }) => [`--${name}=1`]);
  const values = ['1', 'x', '', '1s', 'true', '-1'];
  const more = ['1.2.3.0/24', '1.2.3.4', '1.2.3.0/24, 1.2.4.0/24'].map((text) => [`--cloud-provider-gce-lb-src-cidrs=${text}`]);
  return [...later, ...hidden.flatMap((name) => [...values.map((value) => [`--${name}=${value}`]), [`--${name}`]]), ...more];
}

/** A flag as a help names it. */
export interface HelpFlag {
  readonly name: string;
  readonly type: string;
}

/** Of what `--help` printed. */
export function flagsOfHelp(text: string): readonly HelpFlag[] {
  return [...text.matchAll(/^\s+(?:-\w, )?--([\w-]+)(?: (\S+))?(?: {2,}|$|\[)/gm)].map(([, name = '', type = '']) => ({
    name,
    type: type.replace(/\[.*/, ''),
  }));
}

/** All command lines for a daemon with these flags, without the kubeconfig. */
export function commandLines(flags: readonly HelpFlag[]): readonly (readonly string[])[] {
  const single = flags
    .filter(({ name }) => !untried.has(name))
    .flatMap(({ name, type }) => {
      const values = new Set([...(named[name] ?? []), ...(name in named && type === 'string' ? ['', 'x'] : (valuesOf[type] ?? odd))]);
      return [...[...values].map((value) => [`--${name}=${value}`]), ...(type === '' ? [] : [[`--${name}`]])];
    });
  const known = new Set(flags.map(({ name }) => name));
  const fits = (line: readonly string[]): boolean =>
    line.every(
      (arg) =>
        !arg.startsWith('--') ||
        arg.startsWith('--no-such') ||
        known.has(arg.slice(2).split('=')[0] ?? '') ||
        !/^--[a-z]/.test(arg) ||
        arg.includes('_'),
    );
  return [...single, ...together.filter(fits)];
}
