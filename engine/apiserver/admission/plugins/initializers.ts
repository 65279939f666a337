/**
 * New objects wait for those who want to complete them before others see them (InitializerConfiguration), and only who may initialize writes
 * to them meanwhile. Of old releases; mirrors apiserver pkg/admission/plugin/initialization and pkg/admission/configuration.
 */
import type { InitializerConfiguration } from '../../../api/admissionregistration/v1alpha1/types.gen.ts';
import { newForbidden, newInvalid } from '../../../apimachinery/errors.ts';
import { root } from '../../../apimachinery/field-errors.ts';
import { type Initializers, validateInitializersUpdate } from '../../../apimachinery/initializers.ts';
import type { KubeObject } from '../../../apimachinery/object.ts';
import { getOwn } from '../../../base/dictionary.ts';
import { mirrorAnnotation } from '../../../component-helpers/pod.ts';
import type { AdmissionAttributes } from '../../admission.ts';
import { defineAdmissionPlugin } from '../plugin.ts';

type Rule = NonNullable<NonNullable<InitializerConfiguration['initializers']>[number]['rules']>[number];

export const initializers = defineAdmissionPlugin({
  name: 'Initializers',
  verbs: ['CREATE', 'UPDATE'],
  admit: (object, attributes) => (attributes.verb === 'CREATE' ? admitNew(object, attributes) : admitChanged(object, attributes)),
});

function admitNew(object: KubeObject, attributes: AdmissionAttributes): KubeObject {
  const given = object.metadata.initializers;
  if (given !== undefined) {
    checkMayInitialize(attributes, 'create with initializers denied');
    return isEmpty(given) ? without(object) : object;
  }
  if (attributes.group === '' && attributes.kind === 'Pod' && getOwn(object.metadata.annotations, mirrorAnnotation) !== undefined) return object;
  const configurations = [...(attributes.stored('initializerconfigurations') as readonly InitializerConfiguration[])];
  const pending = configurations
    .sort((a, b) => ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1))
    .flatMap((configuration) => configuration.initializers ?? [])
    .filter(({ rules = [] }) => rules.length > 0 && rules.every((rule) => isMeant(rule, attributes)))
    .map(({ name }) => ({ name }));
  return pending.length === 0 ? object : { ...object, metadata: { ...object.metadata, initializers: { pending } } };
}

function admitChanged(object: KubeObject, attributes: AdmissionAttributes): KubeObject {
  const given = object.metadata.initializers;
  const next = given !== undefined && isEmpty(given) ? without(object) : object;
  const now = next.metadata.initializers;
  const before = attributes.oldObject?.metadata.initializers;
  if (now === undefined && before === undefined) return next;
  const faults = validateInitializersUpdate(now, before, root('metadata', 'initializers'));
  if (faults.length > 0) throw newInvalid({ group: attributes.group, kind: attributes.kind }, attributes.name, faults);
  checkMayInitialize(attributes, 'update to uninitialized resource denied');
  return next;
}

function isEmpty({ pending, result }: Initializers): boolean {
  return (pending ?? []).length === 0 && result === undefined;
}

function without(object: KubeObject): KubeObject {
  const { initializers: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

function isMeant({ apiGroups = [], apiVersions = [], resources = [] }: Rule, { group, version, resource }: AdmissionAttributes): boolean {
  const has = (list: readonly string[], one: string): boolean => list[0] === '*' || list.includes(one);
  return has(apiGroups, group) && has(apiVersions, version) && (resources[0] === '*/*' || has(resources, resource));
}

/** Nobody asks for what is new by its name. */
function checkMayInitialize(
  { authorize, identity, verb, group, version, resource, namespace, name: known }: AdmissionAttributes,
  what: string,
): void {
  const name = verb === 'CREATE' ? '' : known;
  const asked = { verb: 'initialize', isResource: true, path: '', group, version, resource, subresource: '', namespace, name };
  const { allowed, reason } = authorize(identity, asked);
  if (!allowed) throw newForbidden({ group, resource }, name, `${what}: ${reason}`);
}
