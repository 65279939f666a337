/** Security contexts of pods and containers. Mirrors ValidateSecurityContext and validatePodSpecSecurityContext of pkg/apis/core/validation. */
import type { AppArmorProfile, PodSecurityContext, PodSpec, SeccompProfile, SecurityContext } from '../../../api/core/v1/types.gen.ts';
import {
  duplicate,
  type FieldPath,
  forbidden,
  invalid,
  notSupported,
  notSupportedOf,
  required,
  tooLong,
} from '../../../apimachinery/field-errors.ts';
import { internalValue } from '../../../apimachinery/internal-value.ts';
import type { JsonObject } from '../../../base/json.ts';
import type { StrategyContext } from '../../../contracts/kind.ts';
import { byteLength, isValidGroupID, isValidUserID } from '../../../apimachinery/validation.ts';
import { eachContainer } from './containers.ts';
import type { Faults } from './resource-validation.ts';
import { descending } from './volume-paths.ts';
import { validateWindowsOptions } from './windows-validation.ts';

const profileTypes = ['Localhost', 'RuntimeDefault', 'Unconfined'];
const procMounts = ['Default', 'Unmasked'];
const groupPolicies = ['Always', 'OnRootMismatch'];
const supplementalPolicies = ['Merge', 'Strict'];
const sysctl = /^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$/;
const sysctlText = '([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?';

export function validateContainerSecurity(context: SecurityContext, needsUsers: boolean, path: FieldPath, out: Faults): void {
  validateIds(context, path, out);
  if (context.procMount !== undefined) {
    if (!procMounts.includes(context.procMount)) out.push(notSupported(path.child('procMount'), context.procMount, procMounts));
    if (needsUsers && context.procMount === 'Unmasked')
      out.push(invalid(path.child('procMount'), context.procMount, '`hostUsers` must be false to use `Unmasked`'));
  }
  validateSeccomp(context.seccompProfile, path.child('seccompProfile'), out);
  if (context.allowPrivilegeEscalation === false) validateEscalation(context, path, out);
  validateWindowsOptions(context.windowsOptions, path.child('windowsOptions'), out);
  validateAppArmor(context.appArmorProfile, path.child('appArmorProfile'), out);
}

function validateEscalation(context: SecurityContext, path: FieldPath, out: Faults): void {
  if (context.privileged === true) out.push(invalid(path, context, 'cannot set `allowPrivilegeEscalation` to false and `privileged` to true'));
  for (const capability of context.capabilities?.add ?? [])
    if (capability === 'CAP_SYS_ADMIN')
      out.push(invalid(path, context, 'cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN'));
}

export function validatePodSecurity(
  context: PodSecurityContext,
  spec: PodSpec,
  strategy: Pick<StrategyContext, 'featureEnabled'>,
  path: FieldPath,
  out: Faults,
): void {
  if (context.fsGroup !== undefined)
    for (const fault of isValidGroupID(context.fsGroup)) out.push(invalid(path.child('fsGroup'), context.fsGroup, fault));
  validateIds(context, path, out);
  for (const [index, id] of (context.supplementalGroups ?? []).entries()) {
    for (const fault of isValidGroupID(id)) out.push(invalid(path.child('supplementalGroups').index(index), id, fault));
  }
  if (spec.shareProcessNamespace === true && spec.hostPID === true) {
    out.push(invalid(path.child('shareProcessNamespace'), true, 'ShareProcessNamespace and HostPID cannot both be enabled'));
  }
  if (context.sysctls?.length) validateSysctls(context, spec, path.child('sysctls'), out);
  const change = context.fsGroupChangePolicy;
  if (change !== undefined && !groupPolicies.includes(change)) out.push(notSupported(path.child('fsGroupChangePolicy'), change, groupPolicies));
  validateSeccomp(context.seccompProfile, path.child('seccompProfile'), out);
  validateWindowsOptions(context.windowsOptions, path.child('windowsOptions'), out);
  validateAppArmor(context.appArmorProfile, path.child('appArmorProfile'), out);
  const extra = context.supplementalGroupsPolicy;
  if (extra !== undefined && !supplementalPolicies.includes(extra))
    out.push(notSupported(path.child('supplementalGroupsPolicy'), extra, supplementalPolicies));
  if (context.seLinuxChangePolicy === undefined) return;
  const policies = strategy.featureEnabled('SELinuxMount') ? ['MountOption', 'Recursive'] : ['Recursive'];
  if (!policies.includes(context.seLinuxChangePolicy))
    out.push(notSupported(path.child('seLinuxChangePolicy'), context.seLinuxChangePolicy, policies));
}

function validateIds(context: Pick<SecurityContext, 'runAsUser' | 'runAsGroup'>, path: FieldPath, out: Faults): void {
  if (context.runAsUser !== undefined)
    for (const fault of isValidUserID(context.runAsUser)) out.push(invalid(path.child('runAsUser'), context.runAsUser, fault));
  if (context.runAsGroup !== undefined)
    for (const fault of isValidGroupID(context.runAsGroup)) out.push(invalid(path.child('runAsGroup'), context.runAsGroup, fault));
}

function validateSeccomp(profile: SeccompProfile | undefined, path: FieldPath, out: Faults): void {
  if (!profile) return;
  const { type, localhostProfile: file } = profile;
  const at = path.child('localhostProfile');
  if (!type) out.push(required(path.child('type'), 'type is required when seccompProfile is set'));
  else if (!profileTypes.includes(type)) out.push(notSupportedOf(path.child('type'), type, profileTypes));
  if (type !== 'Localhost') {
    if (file !== undefined)
      out.push(invalid(at, internalValue('core.v1.SeccompProfile', { ...profile } as JsonObject), 'can only be set when seccomp type is Localhost'));
  } else if (file === undefined) out.push(required(at, 'must be set when seccomp type is Localhost'));
  else descending(file, at, out);
}

const longestProfile = 4095;

export function validateAppArmor(profile: AppArmorProfile | undefined, path: FieldPath, out: Faults): void {
  if (!profile) return;
  const { type, localhostProfile: file } = profile;
  const at = path.child('localhostProfile');
  if (!type) out.push(required(path.child('type'), 'type is required when appArmorProfile is set'));
  else if (!profileTypes.includes(type)) out.push(notSupportedOf(path.child('type'), type, profileTypes));
  else if (type !== 'Localhost') {
    if (file !== undefined) out.push(invalid(at, file, 'can only be set when AppArmor type is Localhost'));
  } else if (file === undefined) out.push(required(at, 'must be set when AppArmor type is Localhost'));
  else {
    if (file.trim() !== file) out.push(invalid(at, file, 'must not be padded with whitespace'));
    else if (file === '') out.push(required(at, 'must be set when AppArmor type is Localhost'));
    if (byteLength(file) > longestProfile) out.push(tooLong(at, longestProfile));
  }
}

function validateSysctls(context: PodSecurityContext, spec: PodSpec, path: FieldPath, out: Faults): void {
  const names = new Set<string>();
  for (const [index, entry] of (context.sysctls ?? []).entries()) {
    const at = path.index(index).child('name');
    if (!entry.name) out.push(required(at));
    else if (entry.name.length > 253 || !sysctl.test(entry.name)) {
      out.push(invalid(at, entry.name, `must have at most 253 characters and match regex ^${sysctlText}$`));
    } else if (names.has(entry.name)) out.push(duplicate(at, entry.name));
    names.add(entry.name);
    const space = namespaceOf(entry.name ?? '');
    if (spec.hostNetwork === true && space === 'net') out.push(invalid(at, entry.name, "may not be specified when 'hostNetwork' is true"));
    else if (spec.hostIPC === true && space === 'ipc') out.push(invalid(at, entry.name, "may not be specified when 'hostIPC' is true"));
  }
}

/** Of the kernel: which namespace a setting belongs to. Mirrors k8s.io/component-helpers node/util/sysctl. */
function namespaceOf(name: string): 'net' | 'ipc' | undefined {
  const [separator] = /[./]/.exec(name) ?? [];
  const usual = separator === '/' ? name.replace(/[./]/g, (one) => (one === '.' ? '/' : '.')) : name;
  if (usual.startsWith('net.')) return 'net';
  return /^(kernel\.(sem|shmall|shmmax|shmmni|shm_rmid_forced|shm|msgmax|msgmnb|msgmni|msg)$|fs\.mqueue\.)/.test(usual) ? 'ipc' : undefined;
}

export function validateHostUsers(spec: PodSpec, strategy: Pick<StrategyContext, 'featureEnabled'>, path: FieldPath, out: Faults): void {
  if (spec.hostUsers !== false) return;
  const text = 'when `hostUsers` is false';
  if (spec.hostNetwork === true && !strategy.featureEnabled('UserNamespacesHostNetworkSupport')) out.push(forbidden(path.child('hostNetwork'), text));
  if (spec.hostPID === true) out.push(forbidden(path.child('HostPID'), text));
  if (spec.hostIPC === true) out.push(forbidden(path.child('HostIPC'), text));
  eachContainer(spec, path, ({ volumeDevices }, at) => {
    if (volumeDevices?.length) out.push(forbidden(at().child('volumeDevices'), text));
  });
}
