/** The checks of the level `baseline` about the machine: its namespaces, ports, paths, devices. Mirrors pod-security-admission policy/check_*.go. */
import type { LifecycleHandler, Probe } from '../../../api/core/v1/types.gen.ts';
import { type Check, type CheckedPod, containersOf, distinct, type Finding, joinQuoted, named, namesOf, plural, setters } from './check.ts';

const capabilities: ReadonlySet<string> = new Set([
  'AUDIT_WRITE',
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'FSETID',
  'KILL',
  'MKNOD',
  'NET_BIND_SERVICE',
  'SETFCAP',
  'SETGID',
  'SETPCAP',
  'SETUID',
  'SYS_CHROOT',
]);

const sysctlsAtFirst = [
  'kernel.shm_rmid_forced',
  'net.ipv4.ip_local_port_range',
  'net.ipv4.tcp_syncookies',
  'net.ipv4.ping_group_range',
  'net.ipv4.ip_unprivileged_port_start',
];
const sysctlsOf27 = [...sysctlsAtFirst, 'net.ipv4.ip_local_reserved_ports'];
const sysctlsOf29 = [
  ...sysctlsOf27,
  'net.ipv4.tcp_keepalive_time',
  'net.ipv4.tcp_fin_timeout',
  'net.ipv4.tcp_keepalive_intvl',
  'net.ipv4.tcp_keepalive_probes',
];
const sysctlsOf32 = [...sysctlsOf29, 'net.ipv4.tcp_rmem', 'net.ipv4.tcp_wmem'];

export const machineChecks: readonly Check[] = [
  { id: 'capabilities_baseline', revisions: [{ since: 0, check: checkCapabilities }] },
  { id: 'hostNamespaces', revisions: [{ since: 0, check: checkHostNamespaces }] },
  { id: 'hostPathVolumes', revisions: [{ since: 0, check: checkHostPaths }] },
  { id: 'hostPorts', revisions: [{ since: 0, check: checkHostPorts }] },
  { id: 'hostProbesAndHostLifecycle', revisions: [{ since: 34, check: checkHosts }] },
  { id: 'privileged', revisions: [{ since: 0, check: checkPrivileged }] },
  {
    id: 'procMount',
    revisions: [
      { since: 0, check: checkProcMount },
      { since: 35, check: (pod) => (pod.spec.hostUsers === false ? undefined : checkProcMount(pod)) },
    ],
  },
  {
    id: 'sysctls',
    revisions: [
      { since: 0, check: allowSysctls(sysctlsAtFirst) },
      { since: 27, check: allowSysctls(sysctlsOf27) },
      { since: 29, check: allowSysctls(sysctlsOf29) },
      { since: 32, check: allowSysctls(sysctlsOf32) },
    ],
  },
  { id: 'windowsHostProcess', revisions: [{ since: 0, check: checkHostProcess }] },
];

function checkCapabilities({ spec }: CheckedPod): Finding | undefined {
  const added = (capability: string): boolean => !capabilities.has(capability);
  const bad = containersOf(spec).filter(({ securityContext }) => securityContext?.capabilities?.add?.some(added));
  if (bad.length === 0) return undefined;
  const found = distinct(bad.flatMap(({ securityContext }) => (securityContext?.capabilities?.add ?? []).filter(added)));
  return {
    reason: 'non-default capabilities',
    detail: `${named('container', namesOf(bad))} must not include ${joinQuoted(found)} in securityContext.capabilities.add`,
  };
}

function checkHostNamespaces({ spec }: CheckedPod): Finding | undefined {
  const shared = (['hostNetwork', 'hostPID', 'hostIPC'] as const).filter((name) => spec[name] === true);
  return shared.length === 0 ? undefined : { reason: 'host namespaces', detail: shared.map((name) => `${name}=true`).join(', ') };
}

function checkHostPaths({ spec }: CheckedPod): Finding | undefined {
  const bad = (spec.volumes ?? []).filter(({ hostPath }) => hostPath !== undefined).map(({ name }) => name ?? '');
  return bad.length === 0 ? undefined : { reason: 'hostPath volumes', detail: named('volume', bad) };
}

function checkHostPorts({ spec }: CheckedPod): Finding | undefined {
  const bad = containersOf(spec).filter(({ ports = [] }) => ports.some(({ hostPort = 0 }) => hostPort !== 0));
  if (bad.length === 0) return undefined;
  const found = distinct(bad.flatMap(({ ports = [] }) => ports.flatMap(({ hostPort = 0 }) => (hostPort === 0 ? [] : [String(hostPort)]))));
  const uses = bad.length === 1 ? 'uses' : 'use';
  return { reason: 'hostPort', detail: `${named('container', namesOf(bad))} ${uses} ${plural('hostPort', found)} ${found.join(', ')}` };
}

type WithHosts = Pick<LifecycleHandler & Probe, 'httpGet' | 'tcpSocket'>;

function checkHosts({ spec }: CheckedPod): Finding | undefined {
  const hosts: string[] = [];
  const names: string[] = [];
  for (const { name = '', livenessProbe, readinessProbe, startupProbe, lifecycle } of containersOf(spec)) {
    const handlers: readonly (WithHosts | undefined)[] = [livenessProbe, readinessProbe, startupProbe, lifecycle?.postStart, lifecycle?.preStop];
    const found = handlers.flatMap((handler) => [handler?.httpGet?.host ?? '', handler?.tcpSocket?.host ?? '']).filter((host) => host !== '');
    if (found.length > 0) names.push(name);
    hosts.push(...found);
  }
  if (names.length === 0) return undefined;
  const [containers, bad] = [distinct(names), distinct(hosts)];
  const uses = containers.length === 1 ? 'uses' : 'use';
  const reason = 'probe or lifecycle host';
  return { reason, detail: `${named('container', containers)} ${uses} ${named(reason, bad)}` };
}

function checkPrivileged({ spec }: CheckedPod): Finding | undefined {
  const bad = containersOf(spec).filter(({ securityContext }) => securityContext?.privileged === true);
  if (bad.length === 0) return undefined;
  return { reason: 'privileged', detail: `${named('container', namesOf(bad))} must not set securityContext.privileged=true` };
}

/** The same for restricted pods, whatever users they run as. */
export function checkProcMount({ spec }: CheckedPod): Finding | undefined {
  const bad = containersOf(spec).filter(({ securityContext }) => (securityContext?.procMount ?? 'Default') !== 'Default');
  if (bad.length === 0) return undefined;
  const found = distinct(bad.map(({ securityContext }) => securityContext?.procMount ?? ''));
  return { reason: 'procMount', detail: `${named('container', namesOf(bad))} must not set securityContext.procMount to ${joinQuoted(found)}` };
}

function allowSysctls(allowed: readonly string[]): (pod: CheckedPod) => Finding | undefined {
  const known = new Set(allowed);
  return ({ spec }) => {
    const bad = (spec.securityContext?.sysctls ?? []).map(({ name }) => name ?? '').filter((name) => !known.has(name));
    return bad.length === 0 ? undefined : { reason: 'forbidden sysctls', detail: bad.join(', ') };
  };
}

function checkHostProcess({ spec }: CheckedPod): Finding | undefined {
  const bad = containersOf(spec).filter(({ securityContext }) => securityContext?.windowsOptions?.hostProcess === true);
  const who = setters(spec.securityContext?.windowsOptions?.hostProcess === true, bad);
  return who === '' ? undefined : { reason: 'hostProcess', detail: `${who} must not set securityContext.windowsOptions.hostProcess=true` };
}
