/** Persistent volumes, and what an attachment says of one inline. Mirrors ValidatePersistentVolume of pkg/apis/core/validation. */
import { internalValue } from '../../../apimachinery/internal-value.ts';
import type { JsonValue } from '../../../base/json.ts';
import type { PersistentVolume, PersistentVolumeSpec } from '../../../api/core/v1/types.gen.ts';
import {
  type FieldErrorList,
  type FieldPath,
  metaPlace,
  forbidden,
  invalid,
  notSupported,
  required,
  root,
} from '../../../apimachinery/field-errors.ts';
import { parseQuantity, quantitySign, quantityValue } from '../../../apimachinery/quantity.ts';
import { immutableText, isDNS1123Subdomain, validateImmutableField } from '../../../apimachinery/validation.ts';
import { getOwn } from '../../../base/dictionary.ts';
import { semanticEqual } from '../../../apimachinery/semantic-equal.ts';
import { volumeSource } from '../../../component-helpers/storage.ts';
import type { StrategyContext } from '../../../contracts/kind.ts';
import { internalDiff } from '../../shared/json-diff.ts';
import { metadataPath, specPath } from '../../shared/strategy.ts';
import { validateSources } from './persistent-volume-sources.ts';
import { validateNodeSelector } from './placement-validation.ts';
import type { Faults } from './resource-validation.ts';
import { validateModes, volumeModes } from './volume-object-validation.ts';

const reclaimPolicies = ['Delete', 'Recycle', 'Retain'];
const mountOptionsKey = 'volume.beta.kubernetes.io/mount-options';
/** Sources whose mount options may stand in an annotation. */
const mountable = ['gcePersistentDisk', 'awsElasticBlockStore', 'glusterfs', 'nfs', 'rbd', 'quobyte', 'iscsi', 'cinder', 'cephfs', 'azureFile', 'vsphereVolume', 'azureDisk', 'photonPersistentDisk'] as const; // biome-ignore format: a list
const inlineText = 'may not be specified in the context of inline volumes';

export function validatePersistentVolume(object: PersistentVolume): FieldErrorList {
  const out: Faults = [];
  validateSpec(object, out);
  const spec = object.spec ?? {};
  if (getOwn(object.metadata.annotations, mountOptionsKey) !== undefined && mountable.every((source) => spec[source] === undefined))
    out.push(forbidden(metadataPath.child('annotations', mountOptionsKey), 'may not specify mount options for this volume type'));
  return out;
}

function validateSpec({ metadata, spec = {} }: PersistentVolume, out: Faults): void {
  validateModes(spec.accessModes, specPath.child('accessModes'), '', out);
  validateCapacity(spec.capacity, out);
  const { persistentVolumeReclaimPolicy: policy, nodeAffinity, storageClassName, volumeMode, volumeAttributesClassName: attributes } = spec;
  const policyPath = specPath.child('persistentVolumeReclaimPolicy');
  if (policy && !reclaimPolicies.includes(policy)) out.push(notSupported(policyPath, policy, reclaimPolicies));
  if (nodeAffinity) {
    const at = specPath.child('nodeAffinity').child('required');
    if (nodeAffinity.required) validateNodeSelector(nodeAffinity.required, at, out);
    else out.push(required(at, 'must specify required node constraints'));
  }
  validateSources(spec, metadata.name ?? '', specPath, out);
  if (spec.hostPath && isRoot(spec.hostPath.path) && policy === 'Recycle')
    out.push(forbidden(policyPath, "may not be 'recycle' for a hostPath mount of '/'"));
  if (storageClassName) className(storageClassName, specPath.child('storageClassName'), out);
  if (volumeMode !== undefined && !volumeModes.includes(volumeMode)) out.push(notSupported(specPath.child('volumeMode'), volumeMode, volumeModes));
  if (attributes === undefined) return;
  const path = specPath.child('volumeAttributesClassName');
  if (attributes === '') out.push(required(path, 'an empty string is disallowed'));
  else className(attributes, path, out);
  if (!spec.csi) out.push(required(specPath.child('csi'), 'has to be specified when using volumeAttributesClassName'));
}

function className(name: string, path: FieldPath, out: Faults): void {
  for (const fault of isDNS1123Subdomain(name)) out.push(invalid(path, name, fault));
}

function validateCapacity(capacity: PersistentVolumeSpec['capacity'], out: Faults): void {
  const path = specPath.child('capacity');
  const entries = Object.entries(capacity ?? {});
  if (entries.length === 0) out.push(required(path));
  if (capacity?.['storage'] === undefined || entries.length > 1) out.push(notSupported(path, capacity ?? null, ['storage']));
  for (const [name, text] of entries) {
    const quantity = parseQuantity(text);
    if (quantityValue(quantity) < 0) out.push(invalid(path.key(name), quantityValue(quantity), 'must be a valid resource quantity'));
    if (quantitySign(quantity) <= 0) out.push(invalid(path.key(name), text, 'must be greater than zero'));
  }
}

/** As Go's path.Clean sees it. */
function isRoot(path = ''): boolean {
  return path.startsWith('/') && /^\/[./]*$/.test(path) && !path.includes('...');
}

/** Upstream judges the new one twice. */
export function validatePersistentVolumeUpdate(next: PersistentVolume, old: PersistentVolume, context: StrategyContext): FieldErrorList {
  const out: Faults = [...validatePersistentVolume(next), metaPlace];
  validateSpec(next, out);
  const [now, before] = [next.spec ?? {}, old.spec ?? {}];
  const [after, earlier] = [volumeSource(withoutNewSecret(now, before)), volumeSource(before)];
  if (!semanticEqual(after, earlier)) {
    const text = internalDiff('core.v1.PersistentVolumeSource', earlier, after);
    out.push(forbidden(specPath.child('persistentvolumesource'), `spec.persistentvolumesource is immutable after creation\n${text}`));
  }
  out.push(...validateImmutableField(now.volumeMode, before.volumeMode, root('volumeMode')));
  const isPlaced = !context.featureEnabled('MutablePVNodeAffinity') && before.nodeAffinity !== undefined;
  if (isPlaced && !semanticEqual(now.nodeAffinity, withNewLabels(before.nodeAffinity, now.nodeAffinity)))
    out.push(invalid(root('nodeAffinity'), shownAffinity(now), `${immutableText}, except for updating from beta label to GA`));
  if (before.volumeAttributesClassName !== undefined && now.volumeAttributesClassName === undefined)
    out.push(forbidden(specPath.child('volumeAttributesClassName'), 'update from non-nil value to nil is forbidden'));
  return out;
}

/** As upstream writes it, whose path does not name the spec. */
function shownAffinity({ nodeAffinity }: PersistentVolumeSpec): JsonValue {
  return nodeAffinity === undefined ? null : internalValue('core.v1.VolumeNodeAffinity', nodeAffinity as unknown as JsonValue);
}

/** A volume that had none may get the secret that it is expanded with. */
function withoutNewSecret(spec: PersistentVolumeSpec, old: PersistentVolumeSpec): PersistentVolumeSpec {
  if (!old.csi || old.csi.controllerExpandSecretRef || !spec.csi?.controllerExpandSecretRef) return spec;
  const { controllerExpandSecretRef: _new, ...csi } = spec.csi;
  return { ...spec, csi };
}

const newLabels: ReadonlyMap<string, string> = new Map([
  ['failure-domain.beta.kubernetes.io/zone', 'topology.kubernetes.io/zone'],
  ['failure-domain.beta.kubernetes.io/region', 'topology.kubernetes.io/region'],
  ['beta.kubernetes.io/os', 'kubernetes.io/os'],
  ['beta.kubernetes.io/arch', 'kubernetes.io/arch'],
  ['beta.kubernetes.io/instance-type', 'node.kubernetes.io/instance-type'],
]);

type Affinity = PersistentVolumeSpec['nodeAffinity'];

/** `old` with the labels of today in place of their beta names, where `next` has them. */
function withNewLabels(old: Affinity, next: Affinity): Affinity {
  const terms = old?.required?.nodeSelectorTerms;
  if (!terms) return old;
  const wanted = next?.required?.nodeSelectorTerms ?? [];
  const renamed = terms.map((term, i) => {
    const { matchExpressions } = term;
    const keyOf = (key: string, j: number): string =>
      newLabels.get(key) === wanted[i]?.matchExpressions?.[j]?.key ? (newLabels.get(key) ?? key) : key;
    return matchExpressions ? { ...term, matchExpressions: matchExpressions.map((one, j) => ({ ...one, key: keyOf(one.key, j) })) } : term;
  });
  return { required: { nodeSelectorTerms: renamed } };
}

/** Of an attachment: what stands in the place of a volume. */
export function validateInlineVolume(spec: PersistentVolumeSpec, path: FieldPath, out: Faults): void {
  const refuse = (field: string, text = inlineText): void => void out.push(forbidden(path.child(field), text));
  if (spec.claimRef) refuse('claimRef');
  if (Object.keys(spec.capacity ?? {}).length > 0) refuse('capacity');
  if (!spec.csi) out.push(required(path.child('csi'), 'has to be specified in the context of inline volumes'));
  validateModes(spec.accessModes, path.child('accessModes'), '', out);
  const policy = spec.persistentVolumeReclaimPolicy;
  if (policy && policy !== 'Retain') refuse('persistentVolumeReclaimPolicy', 'may only be Retain in the context of inline volumes');
  if (spec.nodeAffinity) refuse('nodeAffinity');
  validateSources(spec, '', path, out, false);
  if (spec.hostPath && isRoot(spec.hostPath.path) && policy === 'Recycle')
    refuse('persistentVolumeReclaimPolicy', "may not be 'recycle' for a hostPath mount of '/'");
  if (spec.storageClassName) refuse('storageClassName');
  if (spec.volumeMode !== undefined && spec.volumeMode !== 'Filesystem')
    refuse('volumeMode', 'may not specify volumeMode other than Filesystem in the context of inline volumes');
}
