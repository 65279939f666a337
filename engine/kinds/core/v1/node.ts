/** Nodes. Mirrors pkg/registry/core/node/strategy.go. */
import { roundResourceList } from './container-defaults.ts';
import { metaPlace } from '../../../apimachinery/field-errors.ts';
import type { Node } from '../../../api/core/v1/types.gen.ts';
import { nodeWarnings } from './object-warnings.ts';
import { defineKind, type StrategyContext } from '../../../contracts/kind.ts';
import { getNodeAddress, nodeRoles, nodeStatusText } from '../../../component-helpers/node.ts';
import { keepStatus, statusOnly } from '../../shared/strategy.ts';
import { ageOf, columns, described, nameOf } from '../../shared/table.ts';
import { validateNode, validateNodeUpdate } from './node-validation.ts';

export const nodeKind = defineKind<Node>({
  group: '',
  version: 'v1',
  kind: 'Node',
  metaChecks: { update: 'M U' },
  plural: 'nodes',
  singular: 'node',
  shortNames: ['no'],
  namespaced: false,
  schema: 'io.k8s.api.core.v1.Node',
  storagePrefix: 'minions',
  gatedFields: [{ gates: ['NodeDeclaredFeatures'], fields: ['status.declaredFeatures'] }],
  warnings: nodeWarnings,
  hasGeneration: false,
  statusSubresource: {
    verbs: ['get', 'patch', 'update'],
    prepareForUpdate: (next, old, context) => withoutConfig(statusOnly(next, old), context),
    validateUpdate: validateNodeUpdate,
  },
  // Whoever registers a node says all of it at once; only what both once named as dynamic configuration is dropped, and no update brings it back.
  prepareForCreate: withoutConfig,
  prepareForUpdate: (next, old, context) => withoutConfig(keepStatus(next, old), context),
  validate: validateNode,
  validateUpdate: (next, old, context) => [...validateNode(next, context), metaPlace, ...validateNodeUpdate(next, old, context)],
  selectableFields: { 'spec.unschedulable': (object) => String(object.spec?.unschedulable ?? false) },
  fieldLabels: { withoutNamespace: true },
  defaults: defaultNode,
  columns: columns(
    'Name',
    described('Status', 'The status of the node'),
    described('Roles', 'The roles of the node'),
    'Age',
    'Version',
    '*Internal-IP',
    '*External-IP',
    '*OS-Image',
    '*Kernel-Version',
    '*Container-Runtime',
  ),
  row(object, context) {
    const info = object.status?.nodeInfo;
    const kernel = (info?.kernelVersion || '<unknown>') + (info?.architecture ? ` (${info.architecture})` : '');
    const addresses = ['InternalIP', 'ExternalIP'].map((type) => getNodeAddress(object, type) ?? '<none>');
    const software = [info?.osImage || '<unknown>', kernel, info?.containerRuntimeVersion || '<unknown>'];
    return [
      nameOf(object),
      nodeStatusText(object),
      nodeRoles(object).join(',') || '<none>',
      ageOf(object, context),
      info?.kubeletVersion ?? '',
      ...addresses,
      ...software,
    ];
  },
});

function withoutConfig(node: Node, gates: Pick<StrategyContext, 'featureEnabled'>): Node {
  if (gates.featureEnabled('DynamicKubeletConfig')) return node;
  if (node.spec?.configSource === undefined && node.status?.config === undefined) return node;
  const { configSource: _source, ...spec } = node.spec ?? {};
  const { config: _config, ...status } = node.status ?? {};
  return { ...node, spec, status };
}

/** What is there can be used; the older of two fields for addresses goes before the other. */
function defaultNode(node: Node): Node {
  const { capacity: given, allocatable = given } = node.status ?? {};
  const [capacity, left] = [given && roundResourceList(given), allocatable && roundResourceList(allocatable)];
  const isKept = capacity === node.status?.capacity && left === node.status?.allocatable;
  const next = isKept ? node : { ...node, status: { ...node.status, ...(capacity && { capacity }), ...(left && { allocatable: left }) } };
  const { podCIDR, podCIDRs } = next.spec ?? {};
  if (podCIDR && podCIDRs?.[0] !== podCIDR) return { ...next, spec: { ...next.spec, podCIDRs: [podCIDR] } };
  return podCIDRs?.[0] && podCIDR !== podCIDRs[0] ? { ...next, spec: { ...next.spec, podCIDR: podCIDRs[0] } } : next;
}
