/** Faults of pod security policies. Mirrors pkg/apis/policy/validation/validation.go of release 1.13. */
import type { IDRange, PodSecurityPolicy } from '../../../api/extensions/v1beta1/types.gen.ts';
import {
  type FieldErrorList,
  type FieldPath,
  forbidden,
  invalid,
  notSupported,
  notSupportedOf,
  required,
  root,
} from '../../../apimachinery/field-errors.ts';
import type { Faults } from '../../core/v1/resource-validation.ts';
import { specPath } from '../../shared/strategy.ts';
import { validatePolicyAnnotations } from './policy-annotation-validation.ts';

const userRules = ['MustRunAs', 'MustRunAsNonRoot', 'RunAsAny'];
const groupRules = ['MayRunAs', 'MustRunAs', 'RunAsAny'];
const labelRules = ['MustRunAs', 'RunAsAny'];
const volumeTypes = [
  ...['*', 'awsElasticBlockStore', 'azureDisk', 'azureFile', 'cephFS', 'cinder', 'configMap', 'csi', 'downwardAPI', 'emptyDir', 'fc', 'flexVolume'],
  ...['flocker', 'gcePersistentDisk', 'gitRepo', 'glusterfs', 'hostPath', 'iscsi', 'nfs', 'persistentVolumeClaim', 'photonPersistentDisk'],
  ...['portworxVolume', 'projected', 'quobyte', 'rbd', 'scaleIO', 'secret', 'storageos', 'vsphereVolume'],
];

interface Strategy {
  readonly rule?: string;
  readonly ranges?: readonly IDRange[];
}

export function validateSecurityPolicy({ metadata, spec }: PodSecurityPolicy): FieldErrorList {
  const out: Faults = [];
  validatePolicyAnnotations(metadata.annotations, out);
  if (!spec) return out;
  const { runAsUser, runAsGroup, seLinux, supplementalGroups, fsGroup, volumes } = spec;
  ruled(runAsUser, userRules, specPath.child('runAsUser'), out);
  if (runAsGroup) group(runAsGroup, specPath.child('runAsGroup'), out);
  ruled(seLinux, labelRules, specPath.child('seLinux'), out);
  ruled(supplementalGroups, groupRules, specPath.child('supplementalGroups'), out);
  ruled(fsGroup, groupRules, specPath.child('fsGroup'), out);
  for (const volume of volumes ?? []) if (!volumeTypes.includes(volume)) out.push(notSupported(specPath.child('volumes'), volume, volumeTypes));
  capabilities(spec, out);
  const { defaultAllowPrivilegeEscalation: byDefault, allowPrivilegeEscalation: allowed } = spec;
  if (byDefault === true && allowed === false) {
    const text = 'Cannot set DefaultAllowPrivilegeEscalation to true without also setting AllowPrivilegeEscalation to true';
    out.push(invalid(specPath.child('defaultAllowPrivilegeEscalation'), byDefault, text));
  }
  places(spec, out);
  sysctls(spec, out);
  return out;
}

function ruled(strategy: Strategy | undefined, rules: readonly string[], path: FieldPath, out: Faults): void {
  const { rule = '', ranges = [] } = strategy ?? {};
  if (!rules.includes(rule)) out.push(notSupported(path.child('rule'), rule, rules));
  ranged(ranges, path, out);
}

function group({ rule = '', ranges: given }: Strategy, path: FieldPath, out: Faults): void {
  const ranges = given ?? [];
  if (!groupRules.includes(rule)) out.push(notSupportedOf(path.child('rule'), rule, ['MustRunAs', 'RunAsAny', 'MayRunAs']));
  else if (rule === 'RunAsAny') {
    if (ranges.length > 0) out.push(invalid(path.child('ranges'), ranges, 'Ranges must be empty'));
  } else {
    if (ranges.length === 0) out.push(invalid(path.child('ranges'), given ?? null, 'must provide at least one range'));
    ranged(ranges, path, out);
  }
}

function ranged(ranges: readonly IDRange[], path: FieldPath, out: Faults): void {
  for (const [index, { min, max }] of ranges.entries()) {
    const at = path.child('ranges').index(index);
    if (min < 0) out.push(invalid(at.child('min'), min, 'min cannot be negative'));
    if (max < 0) out.push(invalid(at.child('max'), max, 'max cannot be negative'));
    if (min > max) out.push(invalid(at.child('min'), min, 'min cannot be greater than max'));
  }
}

type Spec = NonNullable<PodSecurityPolicy['spec']>;

function capabilities({ requiredDropCapabilities: dropped, defaultAddCapabilities, allowedCapabilities }: Spec, out: Faults): void {
  if (!dropped?.length) return;
  if (allowedCapabilities?.includes('*') === true)
    out.push(invalid(root('requiredDropCapabilities'), dropped, 'must be empty when all capabilities are allowed by a wildcard'));
  for (const [name, given] of Object.entries({ defaultAddCapabilities, allowedCapabilities }))
    for (const capability of given ?? [])
      if (dropped.includes(capability)) out.push(invalid(root(name), capability, `capability is listed in ${name} and requiredDropCapabilities`));
}

function places({ allowedHostPaths, allowedFlexVolumes }: Spec, out: Faults): void {
  for (const [index, { pathPrefix }] of (allowedHostPaths ?? []).entries()) {
    const at = specPath.child('allowedHostPaths').index(index);
    if (!pathPrefix) {
      out.push(required(at, 'is required'));
      break;
    }
    if (pathPrefix.split('/').includes('..')) out.push(invalid(at, pathPrefix, "must not contain '..'"));
  }
  for (const [index, { driver }] of (allowedFlexVolumes ?? []).entries())
    if (!driver) {
      // Upstream names the member twice.
      const at = specPath.child('allowedFlexVolumes').child('allowedFlexVolumes');
      out.push(required(at.index(index).child('driver'), 'must specify a driver'));
    }
}

const patternMax = 253;
const patternForm = String.raw`([a-z0-9]([-_a-z0-9]*[a-z0-9])?\.)*([a-z0-9][-_a-z0-9]*)?[a-z0-9*]`;
/** The same, so written that it takes linear time. */
const segment = /^[a-z0-9](?:[-_a-z0-9]*[a-z0-9])?$/;
const lastSegment = /^(?:[a-z0-9][-_a-z0-9]*)?[a-z0-9*]$/;

function sysctls({ allowedUnsafeSysctls = [], forbiddenSysctls = [] }: Spec, out: Faults): void {
  const [allowed, forbidden] = [specPath.child('allowedUnsafeSysctls'), specPath.child('forbiddenSysctls')];
  patterns(allowedUnsafeSysctls, allowed, out);
  patterns(forbiddenSysctls, forbidden, out);
  for (const [i, one] of allowedUnsafeSysctls.entries())
    for (const [j, other] of forbiddenSysctls.entries()) overlap({ one, at: allowed.index(i) }, { one: other, at: forbidden.index(j) }, out);
}

function patterns(given: readonly string[], path: FieldPath, out: Faults): void {
  for (const [index, text] of given.entries()) {
    if (text === '') out.push(invalid(path.index(index), text, 'empty sysctl not allowed'));
    else if (!isPattern(text))
      out.push(invalid(path.index(index), text, `must have at most ${patternMax} characters and match regex ${patternForm}`));
  }
  if (given.length > 1 && given.some((text) => text.startsWith('*') && isPattern(text)))
    out.push(forbidden(path.child('items'), "if '*' is present, must not specify other sysctls"));
}

function isPattern(text: string): boolean {
  if (text.length > patternMax) return false;
  const segments = text.split('.');
  return lastSegment.test(segments.pop() ?? '') && segments.every((one) => segment.test(one));
}

interface Placed {
  readonly one: string;
  readonly at: FieldPath;
}

/** Whether what is allowed and what is forbidden meet. */
function overlap(allowed: Placed, forbidden: Placed, out: Faults): void {
  const [a, f] = [allowed.one.replace(/\*$/, ''), forbidden.one.replace(/\*$/, '')];
  const [isOpen, isShut] = [allowed.one.endsWith('*'), forbidden.one.endsWith('*')];
  const tell = ({ one, at }: Placed, other: Placed): void => void out.push(invalid(at, one, `sysctl overlaps with ${other.one}`));
  if (isShut && a.startsWith(f)) tell(allowed, forbidden);
  else if (isOpen && f.startsWith(a)) tell(forbidden, allowed);
  else if (!isOpen && !isShut && a === f) tell(allowed, forbidden);
}
