/** Manifests as the pods of one node. Mirrors pkg/kubelet/config/common.go (applyDefaults) and config.go. */
import type { Pod, Toleration } from '../../api/core/v1/types.gen.ts';
import { mirrorAnnotation } from '../../component-helpers/pod.ts';

const hashAnnotation = 'kubernetes.io/config.hash';
const seenAnnotation = 'kubernetes.io/config.seen';
const sourceAnnotation = 'kubernetes.io/config.source';

/** Where the manifests of a machine would lie. */
const manifestPath = '/etc/kubernetes/manifests';
/** Whatever befalls the node, its own pods stay. */
const toleratesEviction: Toleration = { operator: 'Exists', effect: 'NoExecute' };

/** The pod that a node makes of a manifest. Its uid is the hash of what the manifest says; `seenText` is when the node saw it first. */
export function toStaticPod(manifest: Pod, node: string, seenText: string): Pod {
  const { metadata, spec } = manifest;
  const name = metadata.name ?? '';
  const uid = fnv128a(`${JSON.stringify({ metadata, spec })}host:${node}file:${manifestPath}/${name}.yaml`);
  const own = { [hashAnnotation]: uid, [seenAnnotation]: seenText, [sourceAnnotation]: 'file' };
  const tolerations = (spec?.tolerations ?? []).filter((one) => !isSame(one, toleratesEviction));
  return {
    kind: 'Pod',
    apiVersion: 'v1',
    metadata: {
      ...metadata,
      name: `${name}-${node.toLowerCase()}`,
      namespace: metadata.namespace || 'default',
      uid,
      annotations: { ...metadata.annotations, ...own },
    },
    spec: { ...spec, nodeName: node, tolerations: [...tolerations, toleratesEviction] },
    status: { phase: 'Pending' },
  } as Pod;
}

/** What a kubelet makes in the API, so that a static pod is seen there: it belongs to the node. */
export function toMirrorPod({ kind, apiVersion, metadata, spec }: Pod, node: string, nodeUid: string): Pod {
  const { uid = '', ...rest } = metadata;
  return {
    kind,
    apiVersion,
    metadata: {
      ...rest,
      annotations: { ...metadata.annotations, [mirrorAnnotation]: uid },
      ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: node, uid: nodeUid, controller: true }],
    },
    spec,
  } as Pod;
}

/** Whether a pod of the API is the image of this static pod as it is now. */
export function isMirrorOf(mirror: Pod, { metadata: { namespace, name, uid } }: Pod): boolean {
  const { metadata } = mirror;
  return metadata.namespace === namespace && metadata.name === name && metadata.annotations?.[mirrorAnnotation] === uid;
}

function isSame(a: Toleration, b: Toleration): boolean {
  return a.operator === b.operator && a.effect === b.effect && !a.key && !a.value;
}

const offsetBasis = 0x6c62272e07bb014262b821756295c58dn;
const prime = 0x0000000001000000000000000000013bn;

/** FNV-1a with 128 bits, as hexadecimal text. */
function fnv128a(text: string): string {
  let hash = offsetBasis;
  for (const byte of new TextEncoder().encode(text)) hash = BigInt.asUintN(128, (hash ^ BigInt(byte)) * prime);
  return hash.toString(16).padStart(32, '0');
}
