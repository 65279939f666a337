/**
 * What a kubelet writes must be its own: its Node, its lease, pods that are bound to it, tokens for them. Mirrors
 * plugin/pkg/admission/noderestriction; the authorizer of nodes has looked at what the address tells.
 */
import { deepEqual } from '../../../base/equal.ts';
import { isMirrorPod, mirrorAnnotation } from '../../../component-helpers/pod.ts';
import type { Ask } from '../../../contracts/questions.ts';
import { decodeBase64Text } from '../../../base/base64.ts';
import type { CertificateSigningRequest } from '../../../api/certificates/v1/types.gen.ts';
import type { CertificateReader } from '../../../contracts/certificates.ts';
import type { Lease } from '../../../api/coordination/v1/types.gen.ts';
import type { Node, Pod } from '../../../api/core/v1/types.gen.ts';
import type { ResourceSlice } from '../../../api/resource/v1/types.gen.ts';
import { newNotFound } from '../../../apimachinery/errors.ts';
import type { KubeObject } from '../../../apimachinery/object.ts';
import { goQuote } from '../../../apimachinery/quote.ts';
import type { JsonValue } from '../../../base/json.ts';
import { maySetNodeLabel } from '../../../component-helpers/node-labels.ts';
import { apiReferenceOf } from '../../../component-helpers/pod-references.ts';
import type { AccessAttributes, AccessDecision } from '../../../contracts/access.ts';
import type { Identity } from '../../../contracts/request.ts';
import type { AdmissionAttributes } from '../../admission.ts';
import { nodeNameOf } from '../../auth/node-identity.ts';
import { type AdmissionPlugin, defineAdmissionPlugin } from '../plugin.ts';
import { refuse } from '../refusal.ts';
import { changedLabels, checkFormerNode, checkFormerPod } from './former-node-restriction.ts';
import { checkPodCertificateRequest } from './node-pod-certificates.ts';
import { checkTokenRequest } from './node-token-requests.ts';

export interface NodeRestrictionOptions {
  featureEnabled(gate: string): boolean;
  authorize(identity: Identity, attributes: AccessAttributes, ask: Ask): AccessDecision;
  /** Mirror pods are their node's, and labels are its own to change in few places; else the rules of old count. Absent: yes. */
  readonly ownsMirrorPods?: boolean;
  /** Reads what nodes want certified; nobody looks into it without. */
  readonly certificates?: Pick<CertificateReader, 'read'> | undefined;
}

export type NodeCheck = (node: string, attributes: AdmissionAttributes, options: NodeRestrictionOptions) => void;

const nodeSigners: readonly string[] = ['kubernetes.io/kubelet-serving', 'kubernetes.io/kube-apiserver-client-kubelet'];
const leaseNamespace = 'kube-node-lease';

const checks: Readonly<Record<string, NodeCheck>> = {
  pods: (node, attributes, { ownsMirrorPods = true }) => (ownsMirrorPods ? checkPod : checkFormerPod)(node, attributes),
  nodes: (node, attributes, { ownsMirrorPods = true }) => (ownsMirrorPods ? checkNode : checkFormerNode)(node, attributes),
  persistentvolumeclaims: checkClaim,
  serviceaccounts: checkTokenRequest,
  'leases.coordination.k8s.io': checkLease,
  'csinodes.storage.k8s.io': checkCsiNode,
  'resourceslices.resource.k8s.io': checkResourceSlice,
  'certificatesigningrequests.certificates.k8s.io': checkSigningRequest,
  'podcertificaterequests.certificates.k8s.io': checkPodCertificateRequest,
};

export function createNodeRestriction(options: NodeRestrictionOptions): AdmissionPlugin {
  const check = (attributes: AdmissionAttributes): void => {
    const node = nodeNameOf(attributes.identity);
    if (node === undefined) return;
    if (node === '') refuse(attributes, `could not determine node from user ${goQuote(attributes.identity.name)}`);
    const { group, resource } = attributes;
    checks[group === '' ? resource : `${resource}.${group}`]?.(node, attributes, options);
  };
  return defineAdmissionPlugin({
    name: 'NodeRestriction',
    verbs: ['CREATE', 'UPDATE', 'DELETE'],
    resources: Object.keys(checks),
    subresources: ['', 'status', 'eviction', 'token', 'binding', 'ephemeralcontainers', 'resize'],
    admit(object, attributes) {
      check(attributes);
      return object;
    },
    validate(attributes) {
      // Deletions have no object that a mutating plugin could look at.
      if (attributes.verb === 'DELETE') check(attributes);
    },
  });
}

function checkPod(node: string, attributes: AdmissionAttributes): void {
  const { verb, subresource } = attributes;
  switch (subresource) {
    case '':
      if (verb === 'CREATE') return checkMirrorPod(node, attributes);
      if (verb === 'UPDATE') return refuse(attributes, `unexpected operation "UPDATE", node ${goQuote(node)} can only create and delete mirror pods`);
      if (storedPod(attributes).spec?.nodeName === node) return;
      return refuse(attributes, `node ${goQuote(node)} can only delete pods with spec.nodeName set to itself`);
    case 'status':
      return checkPodStatus(node, attributes);
    case 'eviction':
      if (storedPod(attributes).spec?.nodeName === node) return;
      return refuse(attributes, `node ${node} can only evict pods with spec.nodeName set to itself`);
    default:
      return refuse(attributes, `unexpected pod subresource ${goQuote(subresource)}, only 'status' and 'eviction' are allowed`);
  }
}

/** Upstream's cache of pods, which is asked, names what it has not in the singular. */
function storedPod(attributes: AdmissionAttributes): Pod {
  const { namespace, name } = attributes;
  const pod = name === '' ? undefined : attributes.lookup('', 'pods', namespace, name);
  if (pod === undefined) throw newNotFound({ group: '', resource: 'pod' }, name);
  return pod as Pod;
}

/** A node makes only the images of its own static pods, which may lead to no other object. */
function checkMirrorPod(node: string, attributes: AdmissionAttributes): void {
  const pod = attributes.object as Pod;
  const quoted = goQuote(node);
  if (!isMirrorPod(pod)) refuse(attributes, `pod does not have "${mirrorAnnotation}" annotation, node ${quoted} can only create mirror pods`);
  if (pod.spec?.nodeName !== node) refuse(attributes, `node ${quoted} can only create pods with spec.nodeName set to itself`);
  checkOwner(node, pod, attributes);
  const reference = apiReferenceOf(pod);
  if (reference !== undefined) refuse(attributes, `node ${quoted} can not create pods that reference ${reference}`);
}

function checkOwner(node: string, pod: Pod, attributes: AdmissionAttributes): void {
  const quoted = goQuote(node);
  const [owner, ...more] = pod.metadata.ownerReferences ?? [];
  if (more.length > 0) refuse(attributes, `node ${quoted} can only create pods with a single owner reference set to itself`);
  if (owner === undefined || owner.apiVersion !== 'v1' || owner.kind !== 'Node' || owner.name !== node)
    return refuse(attributes, `node ${quoted} can only create pods with an owner reference set to itself`);
  if (owner.controller !== true) refuse(attributes, `node ${quoted} can only create pods with a controller owner reference set to itself`);
  if (owner.blockOwnerDeletion === true) refuse(attributes, `node ${quoted} must not set blockOwnerDeletion on an owner reference`);
  const own = attributes.lookup('', 'nodes', undefined, node);
  if (own === undefined) throw newNotFound({ group: '', resource: 'nodes' }, node);
  if (own.metadata.uid !== owner.uid) refuse(attributes, `node ${node} UID mismatch: expected ${owner.uid} got ${own.metadata.uid}`);
}

function checkPodStatus(node: string, attributes: AdmissionAttributes): void {
  const [next, old] = [attributes.object as Pod, attributes.oldObject as Pod];
  const quoted = goQuote(node);
  if (old.spec?.nodeName !== node) refuse(attributes, `node ${quoted} can only update pod status for pods with spec.nodeName set to itself`);
  if (!isSame(next.metadata.labels ?? {}, old.metadata.labels ?? {})) refuse(attributes, `node ${quoted} cannot update labels through pod status`);
  if (!isSame(next.status?.resourceClaimStatuses ?? [], old.status?.resourceClaimStatuses ?? []))
    refuse(attributes, `node ${quoted} cannot update resource claim statues`);
  if (!isSame(next.status?.extendedResourceClaimStatus, old.status?.extendedResourceClaimStatus))
    refuse(attributes, `node ${quoted} cannot update extended resource claim status`);
}

/** Taints, owners and labels steer what runs where: a node must not draw work to itself. */
function checkNode(node: string, attributes: AdmissionAttributes): void {
  const { verb, name } = attributes;
  const quoted = goQuote(node);
  if (name !== node) refuse(attributes, `node ${quoted} is not allowed to modify node ${goQuote(name)}`);
  if (verb === 'DELETE') return;
  const [next, old] = [attributes.object as Node, attributes.oldObject as Node | undefined];
  const source = next.spec?.configSource;
  if (old === undefined) {
    if (source !== undefined) refuse(attributes, `node ${quoted} is not allowed to create pods with a non-nil configSource`);
    const labels = forbiddenLabels(next, undefined);
    if (labels.length > 0) refuse(attributes, `node ${quoted} is not allowed to set the following labels: ${labels.join(', ')}`);
    return;
  }
  if (source !== undefined && !isSame(source, old.spec?.configSource))
    refuse(attributes, `node ${quoted} is not allowed to update configSource to a new non-nil configSource`);
  if (!isSame(next.spec?.taints ?? [], old.spec?.taints ?? [])) refuse(attributes, `node ${quoted} is not allowed to modify taints`);
  if (!isSame(next.metadata.ownerReferences ?? [], old.metadata.ownerReferences ?? []))
    refuse(attributes, `node ${quoted} is not allowed to modify ownerReferences`);
  const labels = forbiddenLabels(next, old);
  if (labels.length > 0) refuse(attributes, `is not allowed to modify labels: ${labels.join(', ')}`);
}

function forbiddenLabels(next: KubeObject, old: KubeObject | undefined): readonly string[] {
  return changedLabels(next, old).filter((key) => !maySetNodeLabel(key));
}

/** Of a claim only what a kubelet finds out when it resizes the volume. */
function checkClaim(node: string, attributes: AdmissionAttributes): void {
  if (attributes.subresource !== 'status') refuse(attributes, 'may only update PVC status');
  if (attributes.verb !== 'UPDATE') refuse(attributes, `unexpected operation ${goQuote(attributes.verb)}`);
  // Also where the release has no such fields: then components alone set them.
  const own = ['capacity', 'conditions', 'allocatedResourceStatuses', 'allocatedResources'];
  const rest = (object: KubeObject | undefined): JsonValue => {
    const { resourceVersion: _version, managedFields: _fields, ...metadata } = object?.metadata ?? {};
    const status = Object.entries((object as { readonly status?: object } | undefined)?.status ?? {}).filter(([field]) => !own.includes(field));
    return { ...object, metadata, status: Object.fromEntries(status) } as unknown as JsonValue;
  };
  if (!deepEqual(rest(attributes.object), rest(attributes.oldObject)))
    refuse(attributes, `node ${goQuote(node)} is not allowed to update fields other than status.quantity and status.conditions`);
}

function checkLease(node: string, attributes: AdmissionAttributes): void {
  if (attributes.namespace !== leaseNamespace) refuse(attributes, `can only access leases in the ${goQuote(leaseNamespace)} system namespace`);
  const name = attributes.verb === 'CREATE' ? (attributes.object as Lease).metadata.name : attributes.name;
  if (name !== node) refuse(attributes, 'can only access node lease with the same name as the requesting node');
}

/** A node asks for certificates of its own name alone. */
function checkSigningRequest(node: string, attributes: AdmissionAttributes, { certificates, featureEnabled }: NodeRestrictionOptions): void {
  const { spec } = (attributes.object ?? {}) as Partial<CertificateSigningRequest>;
  if (attributes.verb !== 'CREATE' || certificates === undefined || featureEnabled('AllowInsecureKubeletCertificateSigningRequests')) return;
  if (!nodeSigners.includes(spec?.signerName ?? '')) return;
  const name = commonNameOf(certificates, spec?.request, attributes);
  if (name !== `system:node:${node}`) refuse(attributes, `can only create a node CSR with CN=system:node:${node}`);
}

function commonNameOf(reader: Pick<CertificateReader, 'read'>, request: string | null | undefined, attributes: AdmissionAttributes): string {
  try {
    return reader.read(decodeBase64Text(request ?? '')).commonName;
  } catch (error) {
    return refuse(attributes, `unable to parse csr: ${(error as Error).message}`);
  }
}

function checkCsiNode(node: string, attributes: AdmissionAttributes): void {
  const name = attributes.verb === 'CREATE' ? attributes.object?.metadata.name : attributes.name;
  if (name !== node) refuse(attributes, 'can only access CSINode with the same name as the requesting node');
}

function checkResourceSlice(node: string, attributes: AdmissionAttributes): void {
  const { verb } = attributes;
  if (verb === 'UPDATE') return;
  const slice = (verb === 'CREATE' ? attributes.object : attributes.oldObject) as ResourceSlice | undefined;
  if (slice?.spec?.nodeName !== node)
    refuse(attributes, `can only ${verb === 'CREATE' ? 'create' : 'delete'} ResourceSlice with the same NodeName as the requesting node`);
}

function isSame(a: unknown, b: unknown): boolean {
  return deepEqual(a as JsonValue | undefined, b as JsonValue | undefined);
}
