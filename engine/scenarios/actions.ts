/** What steps do to the cluster, through a client like anybody's. */
import type { ObjectSelector, ScenarioStep } from '../api/sim/v1alpha1/scenario.ts';
import type { KubeObject, OwnerReference } from '../apimachinery/object.ts';
import type { JsonValue } from '../base/json.ts';
import { StatusError } from '../apimachinery/status.ts';
import type { Client, ResourceType } from '../client/client.ts';
import { resourceTypeOf } from './resource-types.ts';

export const fieldManager = 'wavetank-scenario';
const notFound = 404;

/** On objects that a run made in a cluster that is not its own: the run's uid. */
const madeByAnnotation = 'sim.wavetank.dev/made-by-run';

/** The step would have touched what the run did not make. */
export class NotOursError extends Error {
  constructor(type: ResourceType, name: string) {
    super(
      `${type.resource} "${name}" was not made by this run; run the scenario in a cluster of its own (spec.cluster: Own), or remove the object first`,
    );
    this.name = 'NotOursError';
  }
}

/** Fails with StatusError, UnknownKindError or, where `ownUid` binds the run to what it made, NotOursError. */
export async function performStep(step: ScenarioStep, client: Client, ownUid: string | undefined): Promise<void> {
  for (const object of step.apply ?? []) {
    const type = resourceTypeOf(object);
    const namespace = namespaceOf(type, object.metadata.namespace);
    const { name = '' } = object.metadata;
    if (ownUid !== undefined && !(await isOursOrAbsent(client, type, namespace, name, ownUid))) throw new NotOursError(type, name);
    const body = ownUid === undefined ? object : marked(object, ownUid);
    await client.patch(type, namespace, name, 'apply', body as unknown as JsonValue, { fieldManager, force: true });
  }
  for (const selector of step.delete ?? []) await remove(selector, client, ownUid);
  if (step.patch === undefined) return;
  const { target, merge } = step.patch;
  const type = resourceTypeOf(target);
  const namespace = namespaceOf(type, target.namespace);
  for (const name of await namesOf(target, type, client)) {
    if (ownUid !== undefined && !(await isOursOrAbsent(client, type, namespace, name, ownUid))) throw new NotOursError(type, name);
    await client.patch(type, namespace, name, 'merge', merge, { fieldManager });
  }
}

function marked(object: KubeObject, uid: string): KubeObject {
  return { ...object, metadata: { ...object.metadata, annotations: { ...object.metadata.annotations, [madeByAnnotation]: uid } } };
}

/** Made by the run itself, or controlled by what it made: the pods of its Deployment are its own. */
async function isOursOrAbsent(client: Client, type: ResourceType, namespace: string | undefined, name: string, uid: string): Promise<boolean> {
  let object: KubeObject | undefined = await getOrNothing(client, type, namespace, name);
  if (object === undefined) return true;
  for (let depth = 0; object !== undefined && depth < ownersMax; depth++) {
    if (object.metadata.annotations?.[madeByAnnotation] === uid) return true;
    const owner: OwnerReference | undefined = object.metadata.ownerReferences?.find(({ controller }) => controller === true);
    if (owner === undefined) return false;
    object = await getOrNothing(client, resourceTypeOf(owner), namespace, owner.name);
  }
  return false;
}

const ownersMax = 8;

async function getOrNothing(client: Client, type: ResourceType, namespace: string | undefined, name: string): Promise<KubeObject | undefined> {
  try {
    return await client.get(type, namespace, name);
  } catch (error) {
    if (error instanceof StatusError && error.status.code === notFound) return undefined;
    throw error;
  }
}

/** What is gone already need not be deleted. */
async function remove(selector: ObjectSelector, client: Client, ownUid: string | undefined): Promise<void> {
  const type = resourceTypeOf(selector);
  const namespace = namespaceOf(type, selector.namespace);
  for (const name of await namesOf(selector, type, client)) {
    if (ownUid !== undefined && !(await isOursOrAbsent(client, type, namespace, name, ownUid))) throw new NotOursError(type, name);
    try {
      await client.delete(type, namespace, name, { propagationPolicy: 'Background' });
    } catch (error) {
      if (!(error instanceof StatusError) || error.status.code !== notFound) throw error;
    }
  }
}

async function namesOf({ namespace, name, labelSelector = '' }: ObjectSelector, type: ResourceType, client: Client): Promise<readonly string[]> {
  if (name !== undefined) return [name];
  const list = await client.list(type, namespaceOf(type, namespace), { labelSelector });
  return list.items.map((item) => item.metadata.name ?? '');
}

function namespaceOf(type: ResourceType, namespace: string | undefined): string | undefined {
  return type.namespaced ? (namespace ?? 'default') : undefined;
}
