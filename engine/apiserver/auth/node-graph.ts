/**
 * What a node has to do with an object: a pod that is bound to it names the object, or a volume that such a pod claims does. Upstream
 * keeps a graph of all these relations; here two indexes are kept, the pods of each node and the volumes that say whose claim they are
 * for, and the rest is asked of the stored objects.
 * Mirrors plugin/pkg/auth/authorizer/node/graph.go.
 */
import type { PersistentVolume, Pod } from '../../api/core/v1/types.gen.ts';
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
  readonly #podsOfNodes: KeysByName;
  readonly #volumesOfClaims: KeysByName;

  constructor(store: Store<KubeObject>) {
    this.#store = store;
    this.#podsOfNodes = new KeysByName(store, podPrefix, nodeNameOf);
    this.#volumesOfClaims = new KeysByName(store, '/registry/persistentvolumes/', claimOf);
  }

  /** What is stored was replaced behind the watches' back. */
  rebuild(): void {
    this.#podsOfNodes.rebuild();
    this.#volumesOfClaims.rebuild();
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
    for (const key of this.#podsOfNodes.get(node)) {
      const pod = this.#store.get(key)?.value as Pod | undefined;
      if (pod !== undefined && !isMirrorPod(pod)) yield pod;
    }
  }

  #someUser(node: string, namespace: string, names: (pod: Pod) => boolean): boolean {
    for (const pod of this.#users(node)) if (pod.metadata.namespace === namespace && names(pod)) return true;
    return false;
  }

  /** Volumes for claims of the node's pods: they say so themselves, whatever the claims say. */
  #someVolume(node: string, matches: (volume: PersistentVolume) => boolean): boolean {
    for (const pod of this.#users(node)) {
      for (const claimName of podClaimNames(pod)) {
        for (const key of this.#volumesOfClaims.get(keyOf(pod.metadata.namespace ?? '', claimName))) {
          const volume = this.#store.get(key)?.value as PersistentVolume | undefined;
          if (volume !== undefined && matches(volume)) return true;
        }
      }
    }
    return false;
  }

  #nodeNamedAt(key: string): string | undefined {
    const object = this.#store.get(key)?.value;
    return object === undefined ? undefined : nodeNameOf(object);
  }
}

/** Store keys of the objects below a prefix, by a name that they give; those that give none are left out. */
class KeysByName {
  readonly #store: Store<KubeObject>;
  readonly #prefix: string;
  readonly #nameOf: (object: KubeObject) => string;
  readonly #keys = new Map<string, Set<string>>();

  constructor(store: Store<KubeObject>, prefix: string, nameOf: (object: KubeObject) => string) {
    this.#store = store;
    this.#prefix = prefix;
    this.#nameOf = nameOf;
    store.watch({ prefix, onChanges: (changes) => changes.forEach((change) => this.#onChange(change)) });
    this.rebuild();
  }

  get(name: string): Iterable<string> {
    return this.#keys.get(name) ?? [];
  }

  rebuild(): void {
    this.#keys.clear();
    for (const { key, value } of this.#store.range({ prefix: this.#prefix }).items) this.#add(key, this.#nameOf(value));
  }

  #onChange({ key, current, previous }: Change<KubeObject>): void {
    // `rebuild` follows; what each object was on the way is not asked for.
    if (this.#store.isLoading) return;
    const before = previous === undefined ? '' : this.#nameOf(previous.value);
    const now = current === undefined ? '' : this.#nameOf(current.value);
    if (before === now) return;
    if (before !== '') this.#remove(key, before);
    this.#add(key, now);
  }

  #add(key: string, name: string): void {
    if (name === '') return;
    const keys = this.#keys.get(name);
    if (keys === undefined) this.#keys.set(name, new Set([key]));
    else keys.add(key);
  }

  #remove(key: string, name: string): void {
    const keys = this.#keys.get(name);
    if (keys?.delete(key) === true && keys.size === 0) this.#keys.delete(name);
  }
}

function keyOf(namespace: string, name: string): string {
  return namespace === '' ? name : `${namespace}/${name}`;
}

function nodeNameOf(object: KubeObject): string {
  return (object as KubeObject & { readonly spec?: { readonly nodeName?: string } }).spec?.nodeName ?? '';
}

/** Whose claim a volume is for. */
function claimOf(object: KubeObject): string {
  const { namespace = '', name = '' } = (object as PersistentVolume).spec?.claimRef ?? {};
  return name === '' ? '' : keyOf(namespace, name);
}
