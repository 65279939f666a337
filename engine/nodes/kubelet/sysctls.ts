/** Kernel settings that pods may ask for. Mirrors pkg/kubelet/sysctl (allowlist.go, safe_sysctls.go): the safe ones, on a recent kernel. */
import type { Pod } from '../../api/core/v1/types.gen.ts';

const ofNetwork: ReadonlySet<string> = new Set([
  'net.ipv4.ip_local_port_range',
  'net.ipv4.tcp_syncookies',
  'net.ipv4.ping_group_range',
  'net.ipv4.ip_unprivileged_port_start',
  'net.ipv4.ip_local_reserved_ports',
  'net.ipv4.tcp_keepalive_time',
  'net.ipv4.tcp_fin_timeout',
  'net.ipv4.tcp_keepalive_intvl',
  'net.ipv4.tcp_keepalive_probes',
  'net.ipv4.tcp_rmem',
  'net.ipv4.tcp_wmem',
]);
const ofIpc: ReadonlySet<string> = new Set(['kernel.shm_rmid_forced']);

/** Upstream's sentence about the first one that is refused. */
export function forbiddenSysctl({ spec }: Pod): string | undefined {
  for (const { name = '' } of spec?.securityContext?.sysctls ?? []) {
    const dotted = normalized(name);
    const quoted = JSON.stringify(dotted);
    if (ofIpc.has(dotted)) {
      if (spec?.hostIPC === true) return `forbidden sysctl: ${quoted} not allowed with host IPC enabled`;
    } else if (ofNetwork.has(dotted)) {
      if (spec?.hostNetwork === true) return `forbidden sysctl: ${quoted} not allowed with host Net enabled`;
    } else return `forbidden sysctl: ${quoted} not allowlisted`;
  }
  return undefined;
}

/** Slashes may stand for dots, and then dots for slashes. */
function normalized(name: string): string {
  const first = /[./]/.exec(name)?.[0];
  return first === '/' ? name.replaceAll(/[./]/g, (sign) => (sign === '/' ? '.' : '/')) : name;
}
