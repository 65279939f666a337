/**
 * Binding a pod to a node: `pods/x/binding`, and the older `bindings`. Mirrors pkg/registry/core/pod/storage/storage.go (BindingREST).
 */
import { newBadRequest, newConflict, newStatusError } from '../apimachinery/errors.ts';
import { defineKind, type KindDefinition } from '../contracts/kind.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import type { Status } from '../apimachinery/status.ts';
import { assert, must } from '../base/assert.ts';
import type { WriteCall, WriteCore } from './core.ts';
import { recordBody } from './managed.ts';
import { matchNamespace, orderedMeta } from './meta.ts';
import { aggregateText, notSupportedOf, required, root } from '../apimachinery/field-errors.ts';
import { missing } from './missing.ts';
import { section, setCondition, success, type Condition, type SubresourceHandler } from './subresource-handlers.ts';
import { replace, storageErrorText, uidConflict } from './update.ts';
import { shareUnchanged } from './equal.ts';
import { objectKey, type Resource } from './resource.ts';

const bindingSchema = 'io.k8s.api.core.v1.Binding';

export const bindingHandler: SubresourceHandler = {
  group: '',
  resource: 'pods',
  subresource: 'binding',
  bodyKind: { group: '', version: 'v1', kind: 'Binding' },
  create: bindPod,
};

/** The older way: POST to `bindings`, the body names the pod. */
export const bindingKind: KindDefinition = defineKind({
  group: '',
  version: 'v1',
  kind: 'Binding',
  plural: 'bindings',
  singular: 'binding',
  namespaced: true,
  schema: bindingSchema,
  storagePrefix: 'bindings',
  verbs: ['create'],
});

export const bindingsHandler: SubresourceHandler = {
  group: '',
  resource: 'bindings',
  subresource: '',
  bodyKind: bindingHandler.bodyKind,
  create: (core, call, body) => {
    const pods = must(core.table.find('', 'v1', 'pods'), 'the pods resource');
    return bindPod(core, { ...call, resource: pods, name: body.metadata.name ?? '', warn: (text) => call.warn(text) }, body);
  },
};

function bindPod(core: WriteCore, call: WriteCall, body: KubeObject): Status {
  if (core.ratcheted('PodsByPath')) matchNamespace(body, call.namespace);
  const { name = '' } = body.metadata;
  if (core.ratcheted('PodsByPath') && name !== call.name) throw newBadRequest('name in URL does not match name in Binding object');
  const target = section(body, 'target');
  const kind = String(target['kind'] ?? '');
  const node = String(target['name'] ?? '');
  const faults = [
    ...(kind === '' || kind === 'Node' ? [] : [notSupportedOf(root('target', 'kind'), kind, ['Node', '<empty>'])]),
    ...(node === '' ? [required(root('target', 'name'))] : []),
  ];
  if (faults.length > 0) throw newStatusError(500, '', aggregateText(faults));
  const admitted = call.hooks.admit(recordBody(core, call, body, core.schemas.mustGet(bindingSchema)), undefined);
  call.hooks.validate(admitted, undefined);

  if (name === '') throw newBadRequest('Name parameter required.');
  const named = { ...call, name, warn: (text: string) => call.warn(text) };
  const pods = core.table.storageOf(call.resource);
  const pod = core.read(pods, call.namespace, name)?.value;
  if (pod === undefined) throw missing(call.resource.groupResource, name);
  checkBinding(core, named, pods, pod, admitted);
  const next = bound(core, named, pod, admitted, node, pods);
  replace(core, named, pods, next);
  return success;
}

function checkBinding(core: WriteCore, call: WriteCall, pods: Resource, pod: KubeObject, binding: KubeObject): void {
  const { uid, resourceVersion } = core.ratcheted('PodsByPath') ? binding.metadata : {};
  if (uid && uid !== pod.metadata.uid) throw uidConflict(call, pods, uid, pod);
  if (resourceVersion && resourceVersion !== pod.metadata.resourceVersion) throw revisionConflict(call, pods, resourceVersion, pod);
  const spec = section(pod, 'spec');
  const refuse = (why: string): Error => newConflict({ group: '', resource: 'pods/binding' }, call.name, why);
  if (pod.metadata.deletionTimestamp !== undefined) throw refuse(`pod ${call.name} is being deleted, cannot be assigned to a host`);
  if (spec['nodeName']) throw refuse(`pod ${call.name} is already assigned to node ${JSON.stringify(spec['nodeName'])}`);
  const gates = spec['schedulingGates'];
  if (Array.isArray(gates) && gates.length > 0) throw refuse(`pod ${call.name} has non-empty .spec.schedulingGates`);
}

function revisionConflict(call: WriteCall, pods: Resource, expected: string, pod: KubeObject): Error {
  const precondition = `ResourceVersion in precondition: ${expected}, ResourceVersion in object meta: ${pod.metadata.resourceVersion ?? ''}`;
  return newConflict(call.resource.groupResource, call.name, storageErrorText(objectKey(pods, call.namespace, call.name), precondition));
}

function bound(core: WriteCore, call: WriteCall, pod: KubeObject, binding: KubeObject, node: string, pods: Resource): KubeObject {
  assert(!section(pod, 'spec')['nodeName'], 'a pod is bound once');
  const { annotations, labels } = binding.metadata;
  const meta = {
    ...pod.metadata,
    ...(annotations === undefined ? undefined : { annotations: { ...pod.metadata.annotations, ...annotations } }),
    ...(labels === undefined || !core.featureEnabled('PodTopologyLabelsAdmission') ? undefined : { labels: { ...pod.metadata.labels, ...labels } }),
  };
  const { nominatedNodeName, ...others } = section(pod, 'status');
  const isKept = nominatedNodeName !== undefined && !core.featureEnabled('ClearingNominatedNodeNameAfterBinding');
  const status = isKept ? { ...others, nominatedNodeName } : others;
  const scheduled: Condition = { type: 'PodScheduled', status: 'True' };
  const conditions = setCondition(status['conditions'] as readonly Condition[] | undefined, scheduled, core.context(call).nowText);
  const next = {
    ...pod,
    metadata: orderedMeta(meta),
    spec: { ...section(pod, 'spec'), nodeName: node },
    status: { ...status, conditions },
  };
  return shareUnchanged(core.canonical(next, pods, pod), pod);
}
