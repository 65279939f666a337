/** Pools of simulated machines; `nodes/nodepool.ts` makes the machines. */
import type { Pod } from '../../../api/core/v1/types.gen.ts';
import type { NodePool } from '../../../api/sim/v1alpha1/node-pool.ts';
import { duplicate, forbidden, invalid, required, root, type FieldError, type FieldErrorList } from '../../../apimachinery/field-errors.ts';
import { isDNS1123Subdomain } from '../../../apimachinery/validation.ts';
import { apiReferenceOf } from '../../../component-helpers/pod-references.ts';
import { defineKind, type StrategyContext } from '../../../contracts/kind.ts';
import type { FieldSchema } from '../../../apimachinery/schema.ts';
import { dropStatus, keepStatus } from '../../shared/strategy.ts';
import { ageOf, columns, integerColumn, nameOf } from '../../shared/table.ts';
import { defaultPod } from '../../core/v1/pod-defaults.ts';
import { validatePodSpec, validateTemplateMeta } from '../../core/v1/pod-validation.ts';
import { described, describedOne } from './field-words.ts';
import { messageField, objectFields, scalarField } from './schema-fields.ts';

const prefix = 'dev.wavetank.sim.v1alpha1';
const countMax = 5_000;

const specFields: readonly FieldSchema[] = [
  scalarField('count', 1, 'int32', { pointer: true }),
  scalarField('zones', 2, 'string', { card: 'list', listType: 'atomic' }),
  scalarField('region', 3, 'string'),
  scalarField('namePrefix', 4, 'string'),
  scalarField('capacity', 5, 'quantity', { card: 'map' }),
  scalarField('labels', 6, 'string', { card: 'map' }),
  messageField('taints', 7, 'io.k8s.api.core.v1.Taint', { card: 'list', listType: 'atomic' }),
  scalarField('kubeletVersion', 8, 'string'),
  scalarField('instanceType', 9, 'string'),
  messageField('staticPods', 10, 'io.k8s.api.core.v1.Pod', { card: 'list', listType: 'atomic' }),
];

const schemas = described([
  { name: `${prefix}.NodePoolSpec`, fields: specFields },
  { name: `${prefix}.NodePoolStatus`, fields: [scalarField('machines', 1, 'int32')] },
]);

export const nodePoolKind = defineKind<NodePool>({
  group: 'sim.wavetank.dev',
  version: 'v1alpha1',
  kind: 'NodePool',
  metaChecks: { create: 'm', update: '', status: '' },
  plural: 'nodepools',
  singular: 'nodepool',
  shortNames: ['np'],
  categories: ['wavetank'],
  namespaced: false,
  schema: describedOne({ name: `${prefix}.NodePool`, fields: objectFields(`${prefix}.NodePoolSpec`, `${prefix}.NodePoolStatus`) }),
  schemas,
  storagePrefix: 'sim.wavetank.dev/nodepools',
  statusSubresource: true,
  prepareForCreate: dropStatus,
  prepareForUpdate: keepStatus,
  defaults,
  scale: {
    getReplicas: (object) => object.spec?.count ?? 1,
    getStatusReplicas: (object) => object.status?.machines ?? 0,
    getSelector: (object) => `sim.wavetank.dev/pool=${object.metadata.name}`,
    replicasPath: ['spec', 'count'],
    setReplicas: (object, count) => ({ ...object, spec: { ...object.spec, count } }),
  },
  validate,
  validateUpdate: (next, _old, context) => validate(next, context),
  columns: columns('Name', integerColumn('Count'), integerColumn('Machines'), 'Zones', 'Age'),
  row: (object, context) => [
    nameOf(object),
    object.spec?.count ?? 1,
    object.status?.machines ?? 0,
    object.spec?.zones?.join(',') || '<none>',
    ageOf(object, context),
  ],
});

/** Manifests get the defaults that a kubelet would give them. */
function defaults(object: NodePool): NodePool {
  const { spec } = object;
  const { staticPods } = spec ?? {};
  if (spec?.count !== undefined && staticPods === undefined) return object;
  return { ...object, spec: { count: 1, ...spec, ...(staticPods === undefined ? undefined : { staticPods: staticPods.map(defaultPod) }) } };
}

function validate(object: NodePool, context: StrategyContext): FieldErrorList {
  const errors: FieldError[] = [];
  const { count = 1, namePrefix } = object.spec ?? {};
  if (count < 0 || count > countMax) errors.push(invalid(root('spec', 'count'), count, `must be between 0 and ${countMax}, inclusive`));
  if (namePrefix !== undefined && !/^[a-z0-9]([-a-z0-9.]{0,60}[a-z0-9-])?$/.test(namePrefix)) {
    errors.push(invalid(root('spec', 'namePrefix'), namePrefix, 'must begin as a DNS-1123 subdomain does: lower case letters, digits, `-` and `.`'));
  }
  validateStaticPods(object, context, errors);
  return errors;
}

/** What a kubelet would refuse to read (tryDecodeSinglePod of pkg/kubelet/config). */
function validateStaticPods({ spec }: NodePool, context: StrategyContext, errors: FieldError[]): void {
  const names = new Set<string>();
  for (const [index, pod] of (spec?.staticPods ?? []).entries()) {
    const path = root('spec', 'staticPods').index(index);
    const { name = '', namespace = '' } = pod.metadata ?? {};
    const fullName = `${namespace || 'default'}/${name}`;
    if (name === '') errors.push(required(path.child('metadata', 'name'), 'name is needed for the pod'));
    if (names.has(fullName)) errors.push(duplicate(path.child('metadata', 'name'), name));
    names.add(fullName);
    for (const fault of isDNS1123Subdomain(name)) if (name !== '') errors.push(invalid(path.child('metadata', 'name'), name, fault));
    validateTemplateMeta(pod, context, path.child('metadata'), errors);
    if (pod.spec === undefined) errors.push(required(path.child('spec')));
    else validatePodSpec(pod.spec, { name, isMirror: false }, context, path.child('spec'), errors);
    const fault = referenceFault(pod, context.featureEnabled('PreventStaticPodAPIReferences'));
    if (fault !== undefined) errors.push(forbidden(path.child('spec'), fault));
  }
}

/** What of the API a static pod may not ask for: anything, or with the gate off what no kubelet could give it. */
function referenceFault(pod: Pod, preventsAll: boolean): string | undefined {
  if (preventsAll) {
    const reference = apiReferenceOf(pod);
    return reference === undefined ? undefined : `static pods may not reference ${reference}`;
  }
  const { volumes = [], resourceClaims = [] } = pod.spec ?? {};
  if (volumes.some(({ projected }) => projected?.sources?.some(({ clusterTrustBundle }) => clusterTrustBundle !== undefined) === true))
    return 'static pods may not use ClusterTrustBundle projected volume sources';
  return resourceClaims.length > 0 ? 'static pods may not use ResourceClaims' : undefined;
}
