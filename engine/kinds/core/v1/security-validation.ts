/** Security contexts of pods and containers. Mirrors ValidateSecurityContext and validatePodSpecSecurityContext of pkg/apis/core/validation. */
import type { PodSecurityContext, PodSpec, SeccompProfile, SecurityContext } from '../../../api/core/v1/types.gen.ts';
import { duplicate, type FieldPath, forbidden, invalid, notSupported, required } from '../../../apimachinery/field-errors.ts';
import { isValidGroupID, isValidUserID } from '../../../apimachinery/validation.ts';
import type { Faults } from './resource-validation.ts';

const seccompTypes = ['Localhost', 'RuntimeDefault', 'Unconfined'];
const procMounts = ['Default', 'Unmasked'];
const groupPolicies = ['Always', 'OnRootMismatch'];
const supplementalPolicies = ['Merge', 'Strict'];
const sysctl = /^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$/;
const sysctlText = '([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?';

export function validateContainerSecurity(context: SecurityContext, hostUsers: boolean, path: FieldPath, out: Faults): void {
  validateIds(context, path, out);
  if (context.procMount !== undefined) {
    if (!procMounts.includes(context.procMount)) out.push(notSupported(path.child('procMount'), context.procMount, procMounts));
    if (hostUsers && context.procMount === 'Unmasked')
      out.push(invalid(path.child('procMount'), context.procMount, '`hostUsers` must be false to use `Unmasked`'));
  }
  validateProfiles(context, path, out);
  if (context.allowPrivilegeEscalation !== false) return;
  if (context.privileged === true) out.push(invalid(path, context, 'cannot set `allowPrivilegeEscalation` to false and `privileged` to true'));
  if (context.capabilities?.add?.includes('CAP_SYS_ADMIN')) {
    out.push(invalid(path, context, 'cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN'));
  }
}

export function validatePodSecurity(context: PodSecurityContext, spec: PodSpec, path: FieldPath, out: Faults): void {
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
  validateProfiles(context, path, out);
  const extra = context.supplementalGroupsPolicy;
  if (extra !== undefined && !supplementalPolicies.includes(extra))
    out.push(notSupported(path.child('supplementalGroupsPolicy'), extra, supplementalPolicies));
}

function validateIds(context: Pick<SecurityContext, 'runAsUser' | 'runAsGroup'>, path: FieldPath, out: Faults): void {
  if (context.runAsUser !== undefined)
    for (const fault of isValidUserID(context.runAsUser)) out.push(invalid(path.child('runAsUser'), context.runAsUser, fault));
  if (context.runAsGroup !== undefined)
    for (const fault of isValidGroupID(context.runAsGroup)) out.push(invalid(path.child('runAsGroup'), context.runAsGroup, fault));
}

function validateProfiles(context: Pick<SecurityContext, 'seccompProfile' | 'appArmorProfile'>, path: FieldPath, out: Faults): void {
  if (context.seccompProfile) validateProfile(context.seccompProfile, path.child('seccompProfile'), 'seccomp', out);
  if (context.appArmorProfile) validateProfile(context.appArmorProfile, path.child('appArmorProfile'), 'AppArmor', out);
}

function validateProfile(profile: SeccompProfile, path: FieldPath, what: 'seccomp' | 'AppArmor', out: Faults): void {
  const file = profile.localhostProfile;
  if (profile.type === '' || profile.type === undefined)
    out.push(
      required(
        path.child('type'),
        what === 'seccomp' ? 'type is required when seccompProfile is set' : 'type is required when appArmorProfile is set',
      ),
    );
  else if (!seccompTypes.includes(profile.type)) out.push(notSupported(path.child('type'), profile.type, seccompTypes));
  if (profile.type === 'Localhost') {
    if (file === undefined || file.trim() === '')
      out.push(
        required(
          path.child('localhostProfile'),
          what === 'seccomp' ? 'must be set when seccomp type is Localhost' : 'must be set when AppArmor type is Localhost',
        ),
      );
    else if (what === 'seccomp' && (file.startsWith('/') || file.split('/').includes('..'))) {
      out.push(invalid(path.child('localhostProfile'), file, file.startsWith('/') ? 'must be a relative path' : "must not contain '..'"));
    }
  } else if (file !== undefined) {
    out.push(
      invalid(
        path.child('localhostProfile'),
        file,
        what === 'seccomp' ? 'can only be set when seccomp type is Localhost' : 'can only be set when AppArmor type is Localhost',
      ),
    );
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
    if (spec.hostNetwork === true && entry.name.startsWith('net.'))
      out.push(invalid(at, entry.name, "may not be specified when 'hostNetwork' is true"));
  }
}

export function validateHostUsers(spec: PodSpec, path: FieldPath, out: Faults): void {
  if (spec.hostUsers !== false) return;
  const text = 'when `hostUsers` is false';
  if (spec.hostNetwork === true) out.push(forbidden(path.child('hostNetwork'), text));
  if (spec.hostPID === true) out.push(forbidden(path.child('HostPID'), text));
  if (spec.hostIPC === true) out.push(forbidden(path.child('HostIPC'), text));
}
