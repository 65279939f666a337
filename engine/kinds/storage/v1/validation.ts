/** Storage classes, attachments, CSI drivers, what nodes have of them, and their capacity. Mirrors pkg/apis/storage/validation. */
import type { TopologySelectorTerm } from '../../../api/core/v1/types.gen.ts';
import type { CSIStorageCapacity, StorageClass, VolumeAttachment, VolumeAttachmentStatus, VolumeError } from '../../../api/storage/v1/types.gen.ts';
import {
  duplicate,
  evenEmpty,
  type FieldErrorList,
  type FieldPath,
  forbidden,
  invalid,
  metaPlace,
  notSupported,
  required,
  root,
  tooLong,
} from '../../../apimachinery/field-errors.ts';
import { parseQuantity, quantitySign } from '../../../apimachinery/quantity.ts';
import {
  byteLength,
  immutableText,
  inclusiveRangeError,
  isDNS1123Subdomain,
  isQualifiedName,
  negativeText,
  validateImmutableField,
  validateLabelName,
  validateLabelSelector,
} from '../../../apimachinery/validation.ts';
import { semanticEqual } from '../../../apimachinery/semantic-equal.ts';
import type { StrategyContext } from '../../../contracts/kind.ts';
import { repeatsOf } from '../../../base/repeats.ts';
import { validateInlineVolume } from '../../core/v1/persistent-volume-validation.ts';
import type { Faults } from '../../core/v1/resource-validation.ts';
import { specPath } from '../../shared/strategy.ts';

const parametersMax = 512;
const parametersSizeMax = 256 * 1024;
/** Of one class; a request is too short to have that many that anybody reads. */
const faultsMax = 10_000;
const attachmentMetadataMax = 256 * 1024;
const errorMessageMax = 1024;
const maxInt32 = 2147483647;
const driverNameMax = 63;
const oneSource = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName';

export function validateStorageClass(object: StorageClass): FieldErrorList {
  const out: Faults = [];
  const { provisioner = '', reclaimPolicy, volumeBindingMode, parameters = {}, allowedTopologies = [] } = object;
  const name = provisioner.toLowerCase();
  if (provisioner === '') out.push(required(root('provisioner')));
  else for (const fault of isQualifiedName(name)) out.push(invalid(root('provisioner'), name, fault));
  validateParameters(parameters, root('parameters'), out);
  if (reclaimPolicy && reclaimPolicy !== 'Delete' && reclaimPolicy !== 'Retain')
    out.push(notSupported(root('reclaimPolicy'), reclaimPolicy, ['Delete', 'Retain']));
  if (volumeBindingMode === undefined) out.push(required(root('volumeBindingMode')));
  else if (volumeBindingMode !== 'Immediate' && volumeBindingMode !== 'WaitForFirstConsumer')
    out.push(notSupported(root('volumeBindingMode'), volumeBindingMode, ['Immediate', 'WaitForFirstConsumer']));
  validateTopologies(allowedTopologies, root('allowedTopologies'), out);
  return out;
}

export function validateStorageClassUpdate(next: StorageClass, old: StorageClass, context: StrategyContext): FieldErrorList {
  const changed = validateImmutableField(next.parameters, old.parameters, root('parameters'));
  return [
    ...validateStorageClass(next),
    metaPlace,
    ...(context.ratcheted('AlikeEmpties') ? changed : changed.map(evenEmpty)),
    ...validateImmutableField(next.provisioner, old.provisioner, root('provisioner')),
    ...validateImmutableField(next.reclaimPolicy, old.reclaimPolicy, root('reclaimPolicy')),
    ...validateImmutableField(next.volumeBindingMode, old.volumeBindingMode, root('volumeBindingMode')),
  ];
}

function validateParameters(parameters: { readonly [key: string]: string }, path: FieldPath, out: Faults): void {
  const entries = Object.entries(parameters);
  if (entries.length > parametersMax) return void out.push(tooLong(path, parametersMax));
  let size = 0;
  for (const [key, value] of entries) {
    if (key === '') out.push(invalid(path, key, 'field can not be empty.'));
    size += key.length + value.length;
  }
  if (size > parametersSizeMax) out.push(tooLong(path, parametersSizeMax));
}

function validateTopologies(terms: readonly TopologySelectorTerm[], path: FieldPath, out: Faults): void {
  // Upstream compares with as many empty terms as there are terms.
  const seen = new Map([[JSON.stringify([]), terms.length]]);
  for (const [index, { matchLabelExpressions = [] }] of terms.entries()) {
    const at = path.index(index).child('matchLabelExpressions');
    const keys = new Map<string, readonly string[]>();
    for (const [place, { key = '', values: given }] of matchLabelExpressions.entries()) {
      const values = given ?? [];
      if (values.length === 0) out.push(required(at.index(place).child('values')));
      for (const position of repeatsOf(values)) out.push(duplicate(at.index(place).child('values').index(position), values[position]));
      out.push(...validateLabelName(key, at.index(place).child('key')));
      if (keys.has(key)) out.push(duplicate(at.index(place).child('key'), key));
      keys.set(key, [...values].sort());
    }
    const term = JSON.stringify([...keys].sort());
    const count = seen.get(term) ?? 0;
    // As often as there are equal ones, while anybody may read it.
    for (let told = 0; told < count && out.length < faultsMax; told++) out.push(duplicate(at, ''));
    seen.set(term, count + 1);
  }
}

export function validateAttachment({ spec, status }: VolumeAttachment): FieldErrorList {
  const out: Faults = [];
  const { attacher = '', nodeName = '', source } = spec ?? { attacher: '', nodeName: '', source: {} };
  const { inlineVolumeSpec: inline, persistentVolumeName: volume } = source ?? {};
  validateDriverName(attacher, specPath.child('attacher'), out);
  const path = specPath.child('source');
  const named = path.child('persistentVolumeName');
  if (inline === undefined && volume === undefined) out.push(required(path, oneSource));
  else if (inline !== undefined && volume !== undefined) out.push(forbidden(path, oneSource));
  else if (volume === '') out.push(required(named, 'must specify non empty persistentVolumeName'));
  else if (inline !== undefined) validateInlineVolume(inline, path.child('inlineVolumeSpec'), out);
  for (const fault of isDNS1123Subdomain(nodeName)) out.push(invalid(specPath.child('nodeName'), nodeName, fault));
  validateAttachmentStatus(status ?? { attached: false }, out);
  if (volume !== undefined) for (const fault of isDNS1123Subdomain(volume)) out.push(invalid(named, volume, fault));
  return out;
}

function validateAttachmentStatus({ attachmentMetadata = {}, attachError, detachError }: VolumeAttachmentStatus, out: Faults): void {
  const size = Object.entries(attachmentMetadata).reduce((sum, [key, value]) => sum + byteLength(key) + byteLength(value), 0);
  const path = root('status');
  if (size > attachmentMetadataMax) out.push(tooLong(path.child('attachmentMetadata'), attachmentMetadataMax));
  validateVolumeError(attachError, path.child('attachError'), out);
  validateVolumeError(detachError, path.child('detachError'), out);
}

function validateVolumeError(error: VolumeError | undefined, path: FieldPath, out: Faults): void {
  // Upstream names the limit of the metadata here too.
  if (byteLength(error?.message ?? '') > errorMessageMax) out.push(tooLong(path.child('message'), attachmentMetadataMax));
  const code = error?.errorCode ?? 0;
  if (code < 0) out.push(invalid(path.child('errorCode'), code, inclusiveRangeError(0, maxInt32)));
}

export function validateAttachmentUpdate(next: VolumeAttachment, old: VolumeAttachment): FieldErrorList {
  const faults = validateAttachment(next);
  if (semanticEqual(next.spec, old.spec)) return faults;
  return [...faults, invalid(specPath, next.spec, immutableText)];
}

export function validateDriverName(name: string, path: FieldPath, out: Faults): void {
  if (name === '') return void out.push(required(path));
  if (name.length > driverNameMax) out.push(tooLong(path, driverNameMax));
  for (const fault of isDNS1123Subdomain(name.toLowerCase())) out.push(invalid(path, name, fault));
}

export function validateCapacity({ nodeTopology, storageClassName = '', capacity }: CSIStorageCapacity): FieldErrorList {
  const out: Faults = [...validateLabelSelector(nodeTopology, root('nodeTopology'))];
  for (const fault of isDNS1123Subdomain(storageClassName)) out.push(invalid(root('storageClassName'), storageClassName, fault));
  if (capacity !== undefined && quantitySign(parseQuantity(capacity)) < 0) out.push(invalid(root('capacity'), capacity, negativeText));
  return out;
}

export function validateCapacityUpdate(next: CSIStorageCapacity, old: CSIStorageCapacity): FieldErrorList {
  return [
    ...validateCapacity(next),
    metaPlace,
    ...validateImmutableField(next.nodeTopology, old.nodeTopology, root('nodeTopology')),
    ...validateImmutableField(next.storageClassName, old.storageClassName, root('storageClassName')),
  ];
}
