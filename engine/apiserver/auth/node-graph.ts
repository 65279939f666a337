/**
 * What a node has to do with an object: a pod that is bound to it names the object, or a volume that such a pod claims does. Upstream
 * keeps a graph of all these relations; here one index is kept, the pods of each node, and the rest is asked of the stored objects.
 * Mirrors plugin/pkg/auth/authorizer/node/graph.go.
 */
import type { PersistentVolume, PersistentVolumeClaim, Pod } from '../../api/core/v1/types.gen.ts';
import type { KubeObject } from '../../apimachinery/object.ts';
import { podClaimNames, podConfigMapNames, podResourceClaimNames, podSecretNames, volumeSecrets } from '../../component-helpers/pod-references.ts';
import { isMirrorPod } from '../../component-helpers/pod.ts';
import type { Change, Store } from '../../store/store.ts';

/** The kinds of objects that nodes get at by name. */
export type NodeObjectType =
  | 'secret'
  | 'configmap'
  | 'pvc'
  | 'pv'
  | 'pod'
  | 'serviceAccount'
  | 'resourceclaim'
  | 'volumeattachment'
  | 'resourceslice'
  | 'podcertificaterequest';

const podPrefix = '/registry/pods/';
/** Objects that name their node themselves. */
const prefixes: Readonly<Partial<Record<NodeObjectType, string>>> = {
  pod: podPrefix,
  volumeattachment: '/registry/volumeattachments/',
  resourceslice: '/registry/resourceslices/',
  podcertificaterequest: '/registry/podcertificaterequests/',
};

export class NodeGraph {
  readonly #store: Store<KubeObject>;
  /** Store keys of the pods that are bound to a node. */
  readonly #podKeys = new Map<string, Set<string>>();

  constructor(store: Store<KubeObject>) {
    this.#store = store;
    store.watch({ prefix: podPrefix, onChanges: (changes) => changes.forEach((change) => this.#onChange(change)) });
    this.rebuild();
  }

  /** The stored pods were replaced behind the watch's back. */
  rebuild(): void {
    this.#podKeys.clear();
    for (const { key, value } of this.#store.range({ prefix: podPrefix }).items) this.#bind(key, nodeNameOf(value));
  }

  isRelated(node: string, type: NodeObjectType, namespace: string, name: string): boolean {
    const prefix = prefixes[type];
    if (prefix !== undefined) return this.#nodeNamedAt(prefix + keyOf(namespace, name)) === node;
    switch (type) {
      case 'serviceAccount':
        return this.#someUser(node, namespace, (pod) => pod.spec?.serviceAccountName === name);
      case 'configmap':
        return this.#someUser(node, namespace, (pod) => podConfigMapNames(pod).includes(name));
      case 'pvc':
        return this.#someUser(node, namespace, (pod) => podClaimNames(pod).includes(name));
      case 'resourceclaim':
        return this.#someUser(node, namespace, (pod) => podResourceClaimNames(pod).includes(name));
      case 'pv':
        return this.#someVolume(node, (volume) => volume.metadata.name === name);
      default:
        return (
          this.#someUser(node, namespace, (pod) => podSecretNames(pod).includes(name)) ||
          this.#someVolume(node, (volume) => volumeSecrets(volume).some((secret) => secret.namespace === namespace && secret.name === name))
        );
    }
  }

  /** Pods whose needs open objects to the node. Mirror pods, which the node makes itself, open nothing. */
  *#users(node: string): Iterable<Pod> {
    for (const key of this.#podKeys.get(node) ?? []) {
      const pod = this.#store.get(key)?.value as Pod | undefined;
      if (pod !== undefined && !isMirrorPod(pod)) yield pod;
    }
  }

  #someUser(node: string, namespace: string, names: (pod: Pod) => boolean): boolean {
    for (const pod of this.#users(node)) if (pod.metadata.namespace === namespace && names(pod)) return true;
    return false;
  }

  /** Volumes bound to claims of the node's pods. */
  #someVolume(node: string, matches: (volume: PersistentVolume) => boolean): boolean {
    for (const pod of this.#users(node)) {
      for (const claimName of podClaimNames(pod)) {
        const namespace = pod.metadata.namespace ?? '';
        const claim = this.#store.get(`/registry/persistentvolumeclaims/${keyOf(namespace, claimName)}`)?.value as PersistentVolumeClaim | undefined;
        const volumeName = claim?.spec?.volumeName ?? '';
        const volume =
          volumeName === '' ? undefined : (this.#store.get(`/registry/persistentvolumes/${volumeName}`)?.value as PersistentVolume | undefined);
        const { namespace: boundNamespace, name } = volume?.spec?.claimRef ?? {};
        if (volume !== undefined && boundNamespace === namespace && name === claimName && matches(volume)) return true;
      }
    }
    return false;
  }

  #nodeNamedAt(key: string): string | undefined {
    const object = this.#store.get(key)?.value;
    return object === undefined ? undefined : nodeNameOf(object);
  }

  #onChange({ key, current, previous }: Change<KubeObject>): void {
    // `rebuild` follows; what each pod was on the way is not asked for.
    if (this.#store.isLoading) return;
    const before = previous === undefined ? '' : nodeNameOf(previous.value);
    const now = current === undefined ? '' : nodeNameOf(current.value);
    if (before === now) return;
    if (before !== '') this.#unbind(key, before);
    this.#bind(key, now);
  }

  #bind(key: string, node: string): void {
    if (node === '') return;
    const keys = this.#podKeys.get(node);
    if (keys === undefined) this.#podKeys.set(node, new Set([key]));
    else keys.add(key);
  }

  #unbind(key: string, node: string): void {
    const keys = this.#podKeys.get(node);
    if (keys?.delete(key) === true && keys.size === 0) this.#podKeys.delete(node);
  }
}

function keyOf(namespace: string, name: string): string {
  return namespace === '' ? name : `${namespace}/${name}`;
}

function nodeNameOf(object: KubeObject): string {
  return (object as KubeObject & { readonly spec?: { readonly nodeName?: string } }).spec?.nodeName ?? '';
}
