/** CSI drivers, and what a node has of them. Mirrors pkg/apis/storage/validation. */
import type { CSIDriver, CSINode, CSINodeDriver } from '../../../api/storage/v1/types.gen.ts';
import {
  duplicate,
  type FieldErrorList,
  type FieldPath,
  invalid,
  notSupported,
  notSupportedOf,
  required,
} from '../../../apimachinery/field-errors.ts';
import { immutableText, validateImmutableField, validateLabelName, validateNonnegative } from '../../../apimachinery/validation.ts';
import { semanticEqual } from '../../../apimachinery/semantic-equal.ts';
import { repeatsOf } from '../../../base/repeats.ts';
import type { Faults } from '../../core/v1/resource-validation.ts';
import { specPath } from '../../shared/strategy.ts';
import { validateDriverName } from './validation.ts';

const fsGroupPolicies = ['File', 'None', 'ReadWriteOnceWithFSType'];
const modes = ['Persistent', 'Ephemeral'];
const tokenSecondsMin = 600;
const tokenSecondsMax = 2 ** 32;
const updatePeriodMin = 10;
const nodeIdMax = 256;

export function validateDriver({ spec = {} }: CSIDriver): FieldErrorList {
  const out: Faults = [];
  validateChangeable(spec, out);
  return out;
}

export function validateDriverUpdate(next: CSIDriver, old: CSIDriver): FieldErrorList {
  return [
    ...validateDriver(next),
    ...validateImmutableField(next.spec?.attachRequired, old.spec?.attachRequired, specPath.child('attachedRequired')),
    ...validateImmutableField(next.spec?.volumeLifecycleModes, old.spec?.volumeLifecycleModes, specPath.child('volumeLifecycleModes')),
  ];
}

function validateChangeable(spec: CSIDriver['spec'], out: Faults): void {
  const { fsGroupPolicy, tokenRequests = [], nodeAllocatableUpdatePeriodSeconds: period, serviceAccountTokenInSecrets: inSecrets } = spec;
  if (fsGroupPolicy !== undefined && !fsGroupPolicies.includes(fsGroupPolicy))
    out.push(notSupported(specPath.child('fsGroupPolicy'), fsGroupPolicy, fsGroupPolicies));
  const repeats = repeatsOf(tokenRequests.map(({ audience }) => audience));
  for (const [index, { audience, expirationSeconds: seconds }] of tokenRequests.entries()) {
    const at = specPath.child('tokenRequests').index(index);
    // Of what is there twice no more is said.
    if (repeats.has(index)) out.push(duplicate(at.child('audience'), audience));
    if (repeats.has(index) || seconds === undefined) continue;
    if (seconds < tokenSecondsMin) out.push(invalid(at.child('expirationSeconds'), seconds, 'may not specify a duration less than 10 minutes'));
    if (seconds > tokenSecondsMax) out.push(invalid(at.child('expirationSeconds'), seconds, 'may not specify a duration larger than 2^32 seconds'));
  }
  const odd = (spec.volumeLifecycleModes ?? []).filter((mode) => !modes.includes(mode));
  for (const mode of odd) out.push(notSupportedOf(specPath.child('volumeLifecycleModes'), mode, modes));
  if (period !== undefined && period < updatePeriodMin)
    out.push(invalid(specPath.child('nodeAllocatableUpdatePeriodSeconds'), period, 'must be greater than or equal to 10 seconds'));
  if (inSecrets !== undefined && tokenRequests.length === 0) {
    const why = 'serviceAccountTokenInSecrets is set but no tokenRequests are specified';
    out.push(invalid(specPath.child('serviceAccountTokenInSecrets'), inSecrets, why));
  }
}

export function validateNode({ spec }: CSINode): FieldErrorList {
  const out: Faults = [];
  const drivers = spec?.drivers ?? [];
  const repeats = repeatsOf(drivers.map(({ name }) => name));
  for (const [index, driver] of drivers.entries()) validateNodeDriver(driver, repeats.has(index), specPath.child('drivers').index(index), out);
  return out;
}

/** Upstream names the driver where a topology key is at fault. */
function validateNodeDriver(driver: CSINodeDriver, isSecond: boolean, path: FieldPath, out: Faults): void {
  const { name = '', nodeID = '', topologyKeys, allocatable } = driver;
  validateDriverName(name, path.child('name'), out);
  if (nodeID === '') out.push(required(path.child('nodeID')));
  else if (nodeID.length > nodeIdMax) out.push(invalid(path.child('nodeID'), nodeID, `must be ${nodeIdMax} characters or less`));
  if (allocatable?.count !== undefined) out.push(...validateNonnegative(allocatable.count, path.child('allocatable').child('count')));
  if (isSecond) out.push(duplicate(path.child('name'), name));
  const seen = new Set<string>();
  for (const key of topologyKeys ?? []) {
    if (key === '') out.push(required(path));
    if (seen.has(key)) out.push(duplicate(path, key));
    seen.add(key);
    out.push(...validateLabelName(key, path));
  }
}

/** A driver stays what it is; how many volumes it takes may change. Upstream shows its own value without them, whose members have no JSON names. */
export function validateNodeUpdate(next: CSINode, old: CSINode): FieldErrorList {
  const changed = (next.spec?.drivers ?? []).filter((driver) => {
    const before = old.spec?.drivers?.find(({ name }) => name === driver.name);
    return before !== undefined && !semanticEqual({ ...driver, allocatable: undefined }, { ...before, allocatable: undefined });
  });
  const shown = ({ name, nodeID, topologyKeys }: CSINodeDriver): object => ({
    Name: name,
    NodeID: nodeID,
    TopologyKeys: topologyKeys ?? null,
    Allocatable: null,
  });
  return [...validateNode(next), ...changed.map((driver) => invalid(specPath.child('drivers'), shown(driver), immutableText))];
}
