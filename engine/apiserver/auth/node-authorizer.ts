/**
 * What a kubelet may do: read what the pods of its node need, write its own node, lease and pods, and what the role `system:node`
 * says of the rest. Mirrors kubernetes plugin/pkg/auth/authorizer/node/node_authorizer.go; the admission plugin NodeRestriction
 * checks what only the object itself tells.
 */
import { parseFieldSelector } from '../../apimachinery/fields.ts';
import { SelectorError } from '../../apimachinery/labels.ts';
import { goQuote } from '../../apimachinery/quote.ts';
import type { AccessRule } from '../../contracts/access.ts';
import type { AuthorizationAttributes, Authorizer, Decision } from '../authorizer.ts';
import type { NodeGraph, NodeObjectType } from './node-graph.ts';
import { nodeNameOf } from './node-identity.ts';
import { ruleAllows } from './rbac.ts';

export interface NodeAuthorizerOptions {
  readonly graph: NodeGraph;
  /** Of the role `system:node`. */
  readonly rules: readonly AccessRule[];
  featureEnabled(gate: string): boolean;
}

const leaseNamespace = 'kube-node-lease';
const yes: Decision = { allowed: true, reason: '' };
const no = (reason: string): Decision => ({ allowed: false, reason });

export function createNodeAuthorizer(options: NodeAuthorizerOptions): Authorizer {
  return {
    authorize(identity, attributes) {
      const node = nodeNameOf(identity);
      if (node === undefined) return no('');
      if (node === '') return no(`unknown node for user ${goQuote(identity.name)}`);
      const check = attributes.isResource ? checks[`${attributes.resource}.${attributes.group}`] : undefined;
      const decision = check?.(node, attributes, options);
      return decision ?? { allowed: options.rules.some((rule) => ruleAllows(rule, attributes)), reason: '' };
    },
  };
}

/** Undefined where the role decides. */
type Check = (node: string, attributes: AuthorizationAttributes, options: NodeAuthorizerOptions) => Decision | undefined;

const checks: Readonly<Record<string, Check>> = {
  'secrets.': (node, attributes, { graph }) => readsNamed(node, 'secret', attributes, graph),
  'configmaps.': (node, attributes, { graph }) => readsNamed(node, 'configmap', attributes, graph),
  'persistentvolumeclaims.': (node, attributes, { graph, featureEnabled }) =>
    attributes.subresource === 'status' && featureEnabled('ExpandPersistentVolumes')
      ? writesStatus(node, 'pvc', attributes, graph)
      : gets(node, 'pvc', attributes, graph),
  'persistentvolumes.': (node, attributes, { graph }) => gets(node, 'pv', attributes, graph),
  'resourceclaims.resource.k8s.io': (node, attributes, { graph }) => gets(node, 'resourceclaim', attributes, graph),
  'volumeattachments.storage.k8s.io': (node, attributes, { graph, featureEnabled }) =>
    featureEnabled('CSIPersistentVolume') ? gets(node, 'volumeattachment', attributes, graph) : isOff('CSIPersistentVolume'),
  'serviceaccounts.': serviceAccount,
  'leases.coordination.k8s.io': (node, attributes, { featureEnabled }) =>
    featureEnabled('NodeLease') ? lease(node, attributes) : isOff('NodeLease'),
  'csinodes.storage.k8s.io': csiNode,
  'csinodeinfos.csi.storage.k8s.io': csiNodeInfo,
  'resourceslices.resource.k8s.io': resourceSlice,
  'nodes.': (node, attributes, { featureEnabled }) => (featureEnabled('AuthorizeNodeWithSelectors') ? ownNode(node, attributes) : undefined),
  'pods.': (node, attributes, options) => (options.featureEnabled('AuthorizeNodeWithSelectors') ? pod(node, attributes, options.graph) : undefined),
  'podcertificaterequests.certificates.k8s.io': podCertificateRequest,
};

const isOff = (gate: string): Decision => no(`disabled by feature gate ${gate}`);
const ownVerbs: readonly string[] = ['get', 'create', 'update', 'patch', 'delete'];

function related(node: string, type: NodeObjectType, { namespace, name }: AuthorizationAttributes, graph: NodeGraph): Decision {
  if (name === '') return no('No Object name found');
  return graph.isRelated(node, type, namespace, name) ? yes : no(`no relationship found between node '${node}' and this object`);
}

function gets(node: string, type: NodeObjectType, attributes: AuthorizationAttributes, graph: NodeGraph): Decision {
  if (attributes.verb !== 'get') return no('can only get individual resources of this type');
  return attributes.subresource === '' ? related(node, type, attributes, graph) : no('cannot get subresource');
}

function writesStatus(node: string, type: NodeObjectType, attributes: AuthorizationAttributes, graph: NodeGraph): Decision {
  return ['update', 'patch'].includes(attributes.verb) ? related(node, type, attributes, graph) : no('can only get/update/patch this type');
}

/** Also lists and watches of one object by its name. */
function readsNamed(node: string, type: NodeObjectType, attributes: AuthorizationAttributes, graph: NodeGraph): Decision {
  if (!['get', 'list', 'watch'].includes(attributes.verb)) return no('can only read resources of this type');
  if (attributes.subresource !== '') return no('cannot read subresource');
  return attributes.namespace === '' ? no('can only read namespaced object of this type') : related(node, type, attributes, graph);
}

/** Tokens for the accounts of its pods. */
function serviceAccount(node: string, attributes: AuthorizationAttributes, { graph, featureEnabled }: NodeAuthorizerOptions): Decision {
  if (!featureEnabled('TokenRequest')) return isOff('TokenRequest');
  if (attributes.verb === 'get' && attributes.subresource === '') {
    const mayGet = featureEnabled('KubeletServiceAccountTokenForCredentialProviders') || featureEnabled('PodCertificateRequest');
    return mayGet ? readsNamed(node, 'serviceAccount', attributes, graph) : no('not allowed to get service accounts');
  }
  if (attributes.verb !== 'create' || attributes.name === '') return no('can only create tokens for individual service accounts');
  if (attributes.subresource !== 'token') return no('can only create token subresource of serviceaccount');
  return related(node, 'serviceAccount', attributes, graph);
}

/** A name is not known on create; NodeRestriction looks at it then. */
function lease(node: string, { verb, namespace, name }: AuthorizationAttributes): Decision {
  if (!ownVerbs.includes(verb)) return no('can only get, create, update, patch, or delete a node lease');
  if (namespace !== leaseNamespace) return no(`can only access leases in the ${goQuote(leaseNamespace)} system namespace`);
  return verb === 'create' || name === node ? yes : no('can only access node lease with the same name as the requesting node');
}

function csiNode(node: string, { verb, subresource, name }: AuthorizationAttributes): Decision {
  if (!ownVerbs.includes(verb)) return no('can only get, create, update, patch, or delete a CSINode');
  if (subresource !== '') return no('cannot authorize CSINode subresources');
  return verb === 'create' || name === node ? yes : no('can only access CSINode with the same name as the requesting node');
}

/** Custom resources of a release before CSINodes. */
function csiNodeInfo(node: string, attributes: AuthorizationAttributes, { featureEnabled }: NodeAuthorizerOptions): Decision | undefined {
  const [watcher, info] = ['KubeletPluginsWatcher', 'CSINodeInfo'];
  if (!featureEnabled(watcher) || !featureEnabled(info)) return no(`disabled by feature gates ${watcher} and ${info}`);
  return attributes.verb === 'create' || attributes.name === node
    ? undefined
    : no('can only access CSINodeInfo with the same name as the requesting node');
}

function resourceSlice(node: string, attributes: AuthorizationAttributes, { graph, featureEnabled }: NodeAuthorizerOptions): Decision {
  const { verb, subresource } = attributes;
  if (subresource !== '') return no('cannot authorize ResourceSlice subresources');
  switch (verb) {
    case 'create':
      return yes;
    case 'get':
    case 'update':
    case 'patch':
    case 'delete':
      return related(node, 'resourceslice', attributes, graph);
    case 'watch':
    case 'list':
    case 'deletecollection':
      if (!featureEnabled('AuthorizeNodeWithSelectors') || selects(attributes, 'spec.nodeName', node)) return yes;
      return no('can only list/watch/deletecollection resourceslices with nodeName field selector');
    default:
      return no('only the following verbs are allowed for a ResourceSlice: get, watch, list, create, update, patch, delete, deletecollection');
  }
}

function podCertificateRequest(node: string, attributes: AuthorizationAttributes, { graph, featureEnabled }: NodeAuthorizerOptions): Decision {
  const { verb, subresource } = attributes;
  if (!featureEnabled('PodCertificateRequest') || !featureEnabled('AuthorizeNodeWithSelectors')) return no('');
  if (subresource !== '') return no('nodes may not access the status subresource of PodCertificateRequests');
  switch (verb) {
    case 'create':
      return yes;
    case 'get':
      return related(node, 'podcertificaterequest', attributes, graph);
    case 'list':
    case 'watch':
      return selects(attributes, 'spec.nodeName', node) ? yes : no('can only list/watch podcertificaterequests with nodeName field selector');
    default:
      return no(`nodes may not ${verb} podcertificaterequests`);
  }
}

/** By name and not by relation: a kubelet looks for its Node before it makes it. NodeRestriction checks the writes. */
function ownNode(node: string, { verb, subresource, name }: AuthorizationAttributes): Decision {
  if (subresource === 'status') return ['update', 'patch'].includes(verb) ? yes : no('');
  if (subresource !== '') return no('');
  if (['create', 'update', 'patch'].includes(verb)) return yes;
  if (!['get', 'list', 'watch'].includes(verb)) return no('');
  if (name === node) return yes;
  return no(`node '${node}' cannot read ${name === '' ? 'all nodes' : `'${name}'`}, only its own Node object`);
}

/** NodeRestriction sees to it that the pods written are its own. */
function pod(node: string, attributes: AuthorizationAttributes, graph: NodeGraph): Decision {
  const { verb, subresource, name } = attributes;
  if (subresource === 'status') return ['update', 'patch'].includes(verb) ? yes : no('');
  if (subresource === 'eviction') return verb === 'create' ? yes : no('');
  if (subresource !== '') return no('');
  switch (verb) {
    case 'get':
      return gets(node, 'pod', attributes, graph);
    case 'list':
    case 'watch':
      if (selects(attributes, 'spec.nodeName', node)) return yes;
      return name === '' ? no('can only list/watch pods with spec.nodeName field selector') : related(node, 'pod', attributes, graph);
    case 'create':
    case 'delete':
      return yes;
    default:
      return no('');
  }
}

function selects({ fieldSelector }: AuthorizationAttributes, field: string, value: string): boolean {
  if (fieldSelector === undefined) return false;
  try {
    return parseFieldSelector(fieldSelector).requirements.some((entry) => entry.field === field && entry.operator === '=' && entry.value === value);
  } catch (error) {
    // A selector that cannot be read narrows nothing; the handler will say what is wrong with it.
    if (error instanceof SelectorError) return false;
    throw error;
  }
}

/** Asks several authorizers in turn; the first yes wins, else the reasons of all are given. */
export function unionOf(...authorizers: readonly Authorizer[]): Authorizer {
  return {
    authorize(identity, attributes, ask) {
      const reasons: string[] = [];
      const errors = new Set<string>();
      for (const authorizer of authorizers) {
        const decision = authorizer.authorize(identity, attributes, ask);
        if (decision.allowed || decision.denied === true) return decision;
        if (decision.reason !== '') reasons.push(decision.reason);
        if (decision.error !== undefined) errors.add(decision.error);
      }
      const [error, ...more] = errors;
      const failed = error === undefined ? {} : { error: more.length === 0 ? error : `[${[error, ...more].join(', ')}]` };
      return { allowed: false, reason: reasons.join('\n'), ...failed };
    },
  };
}
