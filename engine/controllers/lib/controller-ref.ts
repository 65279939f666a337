/**
 * Who controls an object, and taking or giving up control: adoption of matching orphans, release of owned objects that match no
 * more. Mirrors pkg/controller/controller_ref_manager.go.
 */
import type { KubeObject, OwnerReference } from '../../apimachinery/object.ts';
import { StatusError } from '../../apimachinery/status.ts';
import type { Client, ResourceType } from '../../client/client.ts';
import { RetryError } from '../../controller-runtime/retry-error.ts';
import { formatTime } from '../../apimachinery/time.ts';
import type { LabelMatcher } from './label-selector.ts';

export function controllerOf(object: KubeObject): OwnerReference | undefined {
  const references = object.metadata.ownerReferences;
  if (references === undefined) return undefined;
  for (const reference of references) if (reference.controller === true) return reference;
  return undefined;
}

export function isControlledBy(object: KubeObject, owner: KubeObject): boolean {
  const uid = controllerOf(object)?.uid;
  return uid !== undefined && uid === owner.metadata.uid;
}

export function sameControllerRef(a: OwnerReference | undefined, b: OwnerReference | undefined): boolean {
  return (
    a === b || (a !== undefined && b !== undefined && a.uid === b.uid && a.name === b.name && a.kind === b.kind && a.apiVersion === b.apiVersion)
  );
}

export function newControllerRef(owner: KubeObject, type: ResourceType): OwnerReference {
  const { name = '', uid = '' } = owner.metadata;
  const apiVersion = type.group === '' ? type.version : `${type.group}/${type.version}`;
  return { apiVersion, kind: type.kind, name, uid, controller: true, blockOwnerDeletion: true };
}

/** Index of objects by the controller's UID; those without a controller stand under their namespace. */
export const controllerIndex = 'controller';

export function controllerIndexValues(object: KubeObject): readonly string[] {
  const uid = controllerOf(object)?.uid;
  return [uid ?? orphansOf(object.metadata.namespace)];
}

/** Value of `controllerIndex` for objects of a namespace that nobody controls. */
export function orphansOf(namespace: string | undefined): string {
  return `orphans/${namespace ?? ''}`;
}

export interface ClaimOptions<T extends KubeObject> {
  readonly client: Client;
  readonly owner: KubeObject;
  readonly ownerType: ResourceType;
  readonly type: ResourceType<T>;
  readonly matches: LabelMatcher;
  /** What else an object of the owner must be. */
  readonly accepts?: (object: T) => boolean;
  /** Finalizers that adoption adds and release removes. */
  readonly finalizers?: readonly string[];
  /** An owner that is being deleted adopts as well. */
  readonly evenGoing?: boolean;
}

/**
 * The objects that the owner controls after adopting and releasing. Settled objects cost no call. The first failure is thrown
 * after all have been tried.
 */
export async function claim<T extends KubeObject>(options: ClaimOptions<T>, objects: readonly T[]): Promise<readonly T[]> {
  const { owner } = options;
  let unsettled = false;
  for (const object of objects) {
    if (controllerOf(object)?.uid !== owner.metadata.uid || !isMatch(options, object)) {
      unsettled = true;
      break;
    }
  }
  if (!unsettled) return objects;
  const claimed: T[] = [];
  let failure: unknown;
  let mayAdopt: Promise<void> | undefined;
  for (const object of objects) {
    try {
      if (await claimOne(options, object, () => (mayAdopt ??= recheckDeletion(options)))) claimed.push(object);
    } catch (error) {
      if (!(error instanceof StatusError) && !(error instanceof RetryError)) throw error;
      failure ??= error;
    }
  }
  if (failure !== undefined) throw failure;
  return claimed;
}

function isMatch<T extends KubeObject>({ matches, accepts }: ClaimOptions<T>, object: T): boolean {
  return matches(object.metadata.labels) && (accepts === undefined || accepts(object));
}

async function claimOne<T extends KubeObject>(options: ClaimOptions<T>, object: T, mayAdopt: () => Promise<void>): Promise<boolean> {
  const { owner } = options;
  const reference = controllerOf(object);
  const matching = isMatch(options, object);
  if (reference !== undefined) {
    if (reference.uid !== owner.metadata.uid) return false;
    if (matching) return true;
    if (owner.metadata.deletionTimestamp === undefined) await release(options, object);
    return false;
  }
  const mayOwn = owner.metadata.deletionTimestamp === undefined || options.evenGoing === true;
  if (!mayOwn || !matching || object.metadata.deletionTimestamp !== undefined) return false;
  if (owner.metadata.namespace !== object.metadata.namespace) return false;
  return adopt(options, object, mayAdopt);
}

async function adopt<T extends KubeObject>(options: ClaimOptions<T>, object: T, mayAdopt: () => Promise<void>): Promise<boolean> {
  const { client, owner, ownerType, type, finalizers } = options;
  const { uid = '', namespace, name = '' } = object.metadata;
  try {
    await mayAdopt();
  } catch (error) {
    if (!(error instanceof StatusError) && !(error instanceof RetryError)) throw error;
    throw new RetryError(`can't adopt ${type.kind} ${namespace}/${name} (${uid}): ${error.message}`);
  }
  const added = finalizers === undefined ? {} : { finalizers };
  const patch = { metadata: { ownerReferences: [{ ...newControllerRef(owner, ownerType) }], uid, ...added } };
  return unlessGone(client.patch(type, namespace, name, 'strategic', patch), [404]);
}

async function release<T extends KubeObject>(options: ClaimOptions<T>, object: T): Promise<void> {
  const { client, owner, type, finalizers } = options;
  const { uid = '', namespace, name = '' } = object.metadata;
  const removed = finalizers === undefined ? {} : { '$deleteFromPrimitiveList/finalizers': finalizers };
  const patch = { metadata: { uid, ownerReferences: [{ $patch: 'delete', uid: owner.metadata.uid ?? '' }], ...removed } };
  // 422: the object was released already, or has been made anew under another UID.
  await unlessGone(client.patch(type, namespace, name, 'strategic', patch), [404, 422]);
}

async function unlessGone(call: Promise<unknown>, codes: readonly number[]): Promise<boolean> {
  try {
    await call;
    return true;
  } catch (error) {
    if (error instanceof StatusError && codes.includes(error.status.code)) return false;
    throw error;
  }
}

/** The cache may be late: nobody adopts for an owner that is being deleted. */
async function recheckDeletion<T extends KubeObject>({ client, owner, ownerType, evenGoing = false }: ClaimOptions<T>): Promise<void> {
  const { namespace, name = '', uid = '' } = owner.metadata;
  const fresh = await client.get(ownerType, namespace, name);
  if (fresh.metadata.uid !== uid) {
    throw new RetryError(
      `can't recheck DeletionTimestamp: original ${ownerType.kind} ${namespace}/${name} is gone: got uid ${fresh.metadata.uid}, wanted ${uid}`,
    );
  }
  const { deletionTimestamp } = fresh.metadata;
  if (deletionTimestamp !== undefined && !evenGoing)
    throw new RetryError(`${namespace}/${name} has just been deleted at ${formatTime(Date.parse(deletionTimestamp))}`);
}
