/** Whether a container follows a policy. Mirrors ValidateContainer of provider.go and its strategies, pkg/security/podsecuritypolicy of release 1.13. */
import { appArmorAllowed } from '../../../kinds/extensions/v1beta1/policy-annotation-validation.ts';
import type { HostPortRange, PodSecurityPolicy } from '../../../api/extensions/v1beta1/types.gen.ts';
import type { Container, Pod, SecurityContext } from '../../../api/core/v1/types.gen.ts';
import { goQuote } from '../../../apimachinery/quote.ts';
import { getOwn } from '../../../base/dictionary.ts';
import type { FillOptions } from './defaults.ts';
import { groupFaults, labelFaults, seccompFaults } from './pod-checks.ts';
import {
  annotationOf,
  appArmorContainer,
  forbiddenText,
  goStrings,
  invalidText,
  isWithin,
  rangesText,
  type Rules,
  seccompContainer,
  seccompPod,
  type Texts,
} from './policy.ts';

export function containerFaults(policy: PodSecurityPolicy, pod: Pod, container: Container, path: string, { hasGroups }: FillOptions): Texts {
  const rules = policy.spec ?? ({} as Rules);
  const out: Texts = [];
  const at = `${path}.securityContext`;
  const own = container.securityContext;
  const ofPod = pod.spec?.securityContext;
  userFaults(rules, own?.runAsNonRoot ?? ofPod?.runAsNonRoot, own?.runAsUser ?? ofPod?.runAsUser, at, out);
  const group = own?.runAsGroup ?? ofPod?.runAsGroup;
  if (hasGroups) groupFaults(rules.runAsGroup as Rules['fsGroup'] | undefined, group === undefined ? undefined : [group], at, out);
  labelFaults(rules, own?.seLinuxOptions ?? ofPod?.seLinuxOptions, `${at}.seLinuxOptions`, out);
  appArmorFaults(policy, pod, container.name, out);
  const key = seccompContainer + container.name;
  seccompFaults(policy, getOwn(pod.metadata.annotations, key) ?? annotationOf(pod, seccompPod), key, out);
  securityFaults(rules, own, at, out);
  for (const { hostPort = 0 } of container.ports ?? [])
    if (hostPort > 0 && !(rules.hostPorts ?? []).some(({ min, max }) => hostPort >= min && hostPort <= max))
      out.push(
        invalidText(
          `${path}.hostPort`,
          String(hostPort),
          `Host port ${hostPort} is not allowed to be used. Allowed ports: [${portsText(rules.hostPorts)}]`,
        ),
      );
  rootFaults(rules, own, at, out);
  return out;
}

function userFaults({ runAsUser }: Rules, nonRoot: boolean | undefined, user: number | bigint | undefined, at: string, out: Texts): void {
  const { rule = '', ranges = [] } = runAsUser ?? {};
  if (rule === 'MustRunAs') {
    if (user === undefined) out.push(`${at}.runAsUser: Required value`);
    else if (!isWithin(user, ranges)) out.push(invalidText(`${at}.runAsUser`, String(user), `must be in the ranges: ${rangesText(ranges)}`));
  } else if (rule === 'MustRunAsNonRoot') {
    if (nonRoot === undefined && user === undefined) out.push(`${at}.runAsNonRoot: Required value: must be true`);
    else if (nonRoot === false) out.push(invalidText(`${at}.runAsNonRoot`, 'false', 'must be true'));
    else if (user !== undefined && Number(user) === 0) out.push(invalidText(`${at}.runAsUser`, '0', 'running with the root UID is forbidden'));
  }
}

function appArmorFaults(policy: PodSecurityPolicy, pod: Pod, name: string, out: Texts): void {
  const allowed = getOwn(policy.metadata.annotations, appArmorAllowed);
  if (allowed === undefined) return;
  const key = appArmorContainer + name;
  const profile = annotationOf(pod, key);
  const path = `pod.metadata.annotations[${key}]`;
  if (profile === '') out.push(forbiddenText(path, 'AppArmor profile must be set'));
  else if (!allowed.split(',').includes(profile))
    out.push(forbiddenText(path, `${profile} is not an allowed profile. Allowed values: ${goQuote(allowed)}`));
}

function securityFaults(rules: Rules, own: SecurityContext | undefined, at: string, out: Texts): void {
  if (own?.privileged === true && rules.privileged !== true)
    out.push(invalidText(`${at}.privileged`, 'true', 'Privileged containers are not allowed'));
  const mount = own?.procMount ?? 'Default';
  const mounts = rules.allowedProcMountTypes?.length ? rules.allowedProcMountTypes : ['Default'];
  if (!mounts.includes(mount)) out.push(invalidText(`${at}.procMount`, goQuote(mount), 'ProcMountType is not allowed'));
  capabilityFaults(rules, own, `${at}.capabilities`, out);
}

function capabilityFaults(rules: Rules, own: SecurityContext | undefined, path: string, out: Texts): void {
  const { defaultAddCapabilities: standard = [], requiredDropCapabilities: required = [], allowedCapabilities: allowed = [] } = rules;
  const given = own?.capabilities;
  if (given === undefined) {
    if (standard.length + required.length > 0) out.push(invalidText(path, '"null"', 'required capabilities are not set on the securityContext'));
    return;
  }
  if (allowed.includes('*')) return;
  for (const one of given.add ?? [])
    if (!standard.includes(one) && !allowed.includes(one)) out.push(invalidText(`${path}.add`, goQuote(one), 'capability may not be added'));
  for (const one of required)
    if (given.drop?.includes(one) !== true)
      out.push(invalidText(`${path}.drop`, goStrings('core.Capability', given.drop), `${one} is required to be dropped but was not found`));
}

function rootFaults({ readOnlyRootFilesystem, allowPrivilegeEscalation }: Rules, own: SecurityContext | undefined, at: string, out: Texts): void {
  const path = `${at}.readOnlyRootFilesystem`;
  if (readOnlyRootFilesystem === true && own?.readOnlyRootFilesystem === undefined)
    out.push(invalidText(path, '"null"', 'ReadOnlyRootFilesystem may not be nil and must be set to true'));
  else if (readOnlyRootFilesystem === true && own?.readOnlyRootFilesystem === false)
    out.push(invalidText(path, 'false', 'ReadOnlyRootFilesystem must be set to true'));
  const escalates = own?.allowPrivilegeEscalation;
  if (allowPrivilegeEscalation === false && escalates !== false)
    out.push(
      invalidText(
        `${at}.allowPrivilegeEscalation`,
        escalates === undefined ? '"null"' : String(escalates),
        'Allowing privilege escalation for containers is not allowed',
      ),
    );
}

function portsText(ranges: readonly HostPortRange[] | undefined): string {
  return (ranges ?? []).map(({ min, max }) => (min === max ? String(min) : `${min}-${max}`)).join(',');
}
