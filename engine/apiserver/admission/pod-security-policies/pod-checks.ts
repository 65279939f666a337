/** Whether a pod as a whole follows a policy. Mirrors ValidatePod of provider.go and its strategies, pkg/security/podsecuritypolicy of release 1.13. */
import { seccompAllowed } from '../../../kinds/extensions/v1beta1/policy-annotation-validation.ts';
import type { PodSecurityPolicy } from '../../../api/extensions/v1beta1/types.gen.ts';
import type { Pod, PodSpec, SELinuxOptions, Volume } from '../../../api/core/v1/types.gen.ts';
import { getOwn } from '../../../base/dictionary.ts';
import { goQuote } from '../../../apimachinery/quote.ts';
import {
  annotationOf,
  forbiddenText,
  invalidText,
  isWithin,
  matchesOne,
  placedContainers,
  rangesText,
  type Rules,
  seccompPod,
  type Texts,
} from './policy.ts';

const at = 'spec.securityContext';

export function podFaults(policy: PodSecurityPolicy, pod: Pod): Texts {
  const rules = policy.spec ?? ({} as Rules);
  const { securityContext: security, ...spec } = pod.spec ?? ({} as PodSpec);
  const out: Texts = [];
  groupFaults(rules.fsGroup, security?.fsGroup === undefined ? undefined : [security.fsGroup], `${at}.fsGroup`, out);
  groupFaults(rules.supplementalGroups, security?.supplementalGroups, `${at}.supplementalGroups`, out);
  seccompFaults(policy, annotationOf(pod, seccompPod), seccompPod, out);
  labelFaults(rules, security?.seLinuxOptions, `${at}.seLinuxOptions`, out);
  for (const [field, word] of [
    ['hostNetwork', 'network'],
    ['hostPID', 'PID'],
    ['hostIPC', 'IPC'],
  ] as const)
    if (spec[field] === true && rules[field] !== true) out.push(invalidText(`${at}.${field}`, 'true', `Host ${word} is not allowed to be used`));
  for (const [index, { name }] of (security?.sysctls ?? []).entries()) sysctlFaults(rules, name, `pod.spec.securityContext.sysctls[${index}]`, out);
  for (const [index, volume] of (spec.volumes ?? []).entries()) volumeFaults(rules, pod, volume, `spec.volumes[${index}]`, out);
  return out;
}

export function groupFaults(
  strategy: Rules['fsGroup'] | undefined,
  groups: readonly (number | bigint)[] | undefined,
  path: string,
  out: Texts,
): void {
  const { rule = '', ranges = [] } = strategy ?? {};
  if (rule !== 'MustRunAs' && rule !== 'MayRunAs') return;
  const shown = groups === undefined ? '[]int64(nil)' : `[]int64{${groups.join(', ')}}`;
  if (rule === 'MustRunAs' && !groups?.length) out.push(invalidText(path, shown, 'unable to validate empty groups against required ranges'));
  for (const group of groups ?? [])
    if (!isWithin(group, ranges)) out.push(invalidText(path, shown, `group ${group} must be in the ranges: ${rangesText(ranges)}`));
}

/** Of the pod, or of a container: `key` is the annotation. */
export function seccompFaults(policy: PodSecurityPolicy, profile: string, key: string, out: Texts): void {
  const path = `pod.metadata.annotations[${key}]`;
  const text = annotationOf(policy, seccompAllowed);
  const isSet = policy.metadata.annotations !== undefined && Object.hasOwn(policy.metadata.annotations, seccompAllowed);
  const allowed = isSet ? text.split(',') : [];
  const takesAny = allowed.includes('*');
  const named = allowed.filter((one) => one !== '*');
  if (!takesAny && named.length === 0 && profile !== '') out.push(forbiddenText(path, 'seccomp may not be set'));
  else if (!(named.length === 0 && profile === '') && !takesAny && !named.includes(profile))
    out.push(forbiddenText(path, `${profile} is not an allowed seccomp profile. Valid values are ${text}`));
}

export function labelFaults({ seLinux }: Rules, given: SELinuxOptions | undefined, path: string, out: Texts): void {
  if (seLinux?.rule !== 'MustRunAs') return;
  if (given === undefined) {
    out.push(`${path}: Required value`);
    return;
  }
  for (const name of ['level', 'role', 'type', 'user'] as const) {
    const [wanted, has] = [seLinux.seLinuxOptions?.[name] ?? '', given[name] ?? ''];
    if (wanted !== has && !(name === 'level' && sameLevel(wanted, has))) out.push(invalidText(`${path}.${name}`, goQuote(has), `must be ${wanted}`));
  }
}

/** `s0:c6,c0` and `s0:c0,c6` are one. */
function sameLevel(wanted: string, has: string): boolean {
  const split = (level: string): readonly [string, string] | undefined => {
    const colon = level.indexOf(':');
    return colon < 0
      ? undefined
      : [
          level.slice(0, colon),
          level
            .slice(colon + 1)
            .split(',')
            .sort()
            .join(','),
        ];
  };
  const [a, b] = [split(wanted), split(has)];
  return a !== undefined && b !== undefined && a[0] === b[0] && a[1] === b[1];
}

const safe = ['kernel.shm_rmid_forced', 'net.ipv4.ip_local_port_range', 'net.ipv4.tcp_syncookies'];

function sysctlFaults({ forbiddenSysctls = [], allowedUnsafeSysctls = [] }: Rules, name: string, path: string, out: Texts): void {
  if (matchesOne(name, forbiddenSysctls)) out.push(forbiddenText(path, `sysctl ${goQuote(name)} is not allowed`));
  else if (!safe.includes(name) && !matchesOne(name, allowedUnsafeSysctls))
    out.push(forbiddenText(path, `unsafe sysctl ${goQuote(name)} is not allowed`));
}

/** Names of policies, where they are others than the field's. */
const volumeNames: { readonly [field: string]: string } = { cephfs: 'cephFS' };
const volumeTypes: readonly string[] = [
  ...['hostPath', 'emptyDir', 'gcePersistentDisk', 'awsElasticBlockStore', 'gitRepo', 'secret', 'nfs', 'iscsi', 'glusterfs', 'persistentVolumeClaim'],
  ...['rbd', 'flexVolume', 'cinder', 'cephfs', 'flocker', 'downwardAPI', 'fc', 'azureFile', 'configMap', 'vsphereVolume', 'quobyte', 'azureDisk'],
  ...['photonPersistentDisk', 'storageos', 'projected', 'portworxVolume', 'scaleIO'],
];

function volumeFaults(rules: Rules, pod: Pod, volume: Volume, path: string, out: Texts): void {
  const field = volumeTypes.find((name) => Boolean(volume[name as keyof Volume])) ?? '';
  const type = getOwn(volumeNames, field) ?? field;
  const allowed = rules.volumes ?? [];
  if (field === '') out.push(invalidText(path, '""', `unknown volume type for volume: ${goQuote(volume.name)}`));
  else if (!allowed.includes('*') && !allowed.includes(type))
    out.push(invalidText(path, goQuote(type), `${type} volumes are not allowed to be used`));
  else if (volume.hostPath) hostPathFaults(rules, pod, volume.name, volume.hostPath.path, path, out);
  else if (volume.flexVolume && rules.allowedFlexVolumes?.length) {
    const { driver } = volume.flexVolume;
    if (!rules.allowedFlexVolumes.some((one) => one.driver === driver))
      out.push(invalidText(`${path}.driver`, goQuote(driver), 'Flexvolume driver is not allowed to be used'));
  }
}

function hostPathFaults({ allowedHostPaths = [] }: Rules, pod: Pod, name: string, path: string, where: string, out: Texts): void {
  if (allowedHostPaths.length === 0) return;
  const matching = allowedHostPaths.filter(({ pathPrefix = '' }) => isBelow(path, pathPrefix));
  if (matching.length === 0) out.push(invalidText(`${where}.hostPath.pathPrefix`, goQuote(path), 'is not allowed to be used'));
  if (matching.length === 0 || matching.some(({ readOnly }) => readOnly !== true)) return;
  for (const { container, path: owner } of placedContainers(pod))
    for (const [index, mount] of (container.volumeMounts ?? []).entries())
      if (mount.name === name && mount.readOnly !== true)
        out.push(invalidText(`${owner}.volumeMounts[${index}].readOnly`, 'false', 'must be read-only'));
}

function isBelow(path: string, prefix: string): boolean {
  const [whole, start] = [path.replace(/\/$/, ''), prefix.replace(/\/$/, '')];
  return whole === start || whole.startsWith(`${start}/`);
}
