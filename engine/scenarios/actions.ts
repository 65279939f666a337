/** What steps do to the cluster, through a client like anybody's. */
import type { ObjectSelector, ScenarioStep } from '../api/sim/v1alpha1/scenario.ts';
import type { JsonValue } from '../base/json.ts';
import { StatusError } from '../apimachinery/status.ts';
import type { Client, ResourceType } from '../client/client.ts';
import { resourceTypeOf } from './resource-types.ts';

export const fieldManager = 'wavetank-scenario';
const notFound = 404;

/** Fails with StatusError, or UnknownKindError. */
export async function performStep(step: ScenarioStep, client: Client): Promise<void> {
  for (const object of step.apply ?? []) {
    const type = resourceTypeOf(object);
    const namespace = namespaceOf(type, object.metadata.namespace);
    await client.patch(type, namespace, object.metadata.name ?? '', 'apply', object as unknown as JsonValue, { fieldManager, force: true });
  }
  for (const selector of step.delete ?? []) await remove(selector, client);
  if (step.patch === undefined) return;
  const { target, merge } = step.patch;
  const type = resourceTypeOf(target);
  const namespace = namespaceOf(type, target.namespace);
  for (const name of await namesOf(target, type, client)) await client.patch(type, namespace, name, 'merge', merge, { fieldManager });
}

/** What is gone already need not be deleted. */
async function remove(selector: ObjectSelector, client: Client): Promise<void> {
  const type = resourceTypeOf(selector);
  const namespace = namespaceOf(type, selector.namespace);
  for (const name of await namesOf(selector, type, client)) {
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
