/** What a CustomResourceDefinition says of a migration of its objects. Mirrors markAsActive and finishCRDMigration of pkg/controller/storageversionmigrator. */
import type { CustomResourceDefinition } from '../../api/apiextensions/v1/types.gen.ts';
import { isConflict, isNotFound } from '../../apimachinery/errors.ts';
import { formatTime } from '../../apimachinery/time.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Client } from '../../client/client.ts';
import { resourceType } from '../../client/resources.ts';

const group = 'apiextensions.k8s.io';
const definitions = resourceType<CustomResourceDefinition>(group, 'v1', 'customresourcedefinitions', 'CustomResourceDefinition', false);
const fieldManager = 'migration-runner-controller';
const attemptsMax = 5;

export interface MigratedResource {
  readonly group: string;
  readonly resource: string;
}

export async function tellRunning(client: Client, resource: MigratedResource, migration: string, nowMs: number): Promise<void> {
  await tell(client, resource, nowMs, () => ({ status: 'True', reason: 'MigrationRunning', message: `Migration ${migration} is running` }));
}

export async function tellEnd(client: Client, resource: MigratedResource, hasSucceeded: boolean, nowMs: number): Promise<void> {
  await tell(client, resource, nowMs, (definition) => {
    const told = definition.status?.conditions?.find(({ type }) => type === 'StorageMigrating');
    // Who changed the versions meanwhile may have stored objects in others.
    const isSame = told !== undefined && Number(told.observedGeneration ?? 0) === Number(definition.metadata.generation ?? 0);
    const stored = definition.spec.versions?.find(({ storage }) => storage)?.name;
    const outcome = isSame
      ? 'and the stored versions have been updated'
      : 'but the stored versions have not been updated due to a generation mismatch';
    return {
      status: 'False',
      reason: hasSucceeded ? 'MigrationSucceeded' : 'MigrationFailed',
      message: hasSucceeded ? `The migration has succeeded ${outcome}` : 'The migration has failed',
      ...(isSame && stored !== undefined ? { storedVersions: [stored] } : {}),
    };
  });
}

interface Told {
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  readonly storedVersions?: readonly string[];
}

async function tell(client: Client, resource: MigratedResource, nowMs: number, say: (definition: CustomResourceDefinition) => Told): Promise<void> {
  const name = `${resource.resource}.${resource.group}`;
  for (let attempt = 1; ; attempt++) {
    try {
      const definition = await client.get(definitions, undefined, name);
      await client.patch(definitions, undefined, name, 'apply', statusOf(definition, say(definition), nowMs), {
        subresource: 'status',
        fieldManager,
        force: true,
      });
      return;
    } catch (error) {
      if (isNotFound(error)) return;
      if (!isConflict(error) || attempt === attemptsMax) throw error;
    }
  }
}

function statusOf({ metadata }: CustomResourceDefinition, { storedVersions, ...said }: Told, nowMs: number): JsonObject {
  const { name = '', resourceVersion = '', generation } = metadata;
  const condition = {
    type: 'StorageMigrating',
    ...said,
    lastTransitionTime: formatTime(nowMs),
    ...(generation === undefined ? {} : { observedGeneration: Number(generation) }),
  };
  return {
    apiVersion: `${group}/v1`,
    kind: 'CustomResourceDefinition',
    metadata: { name, resourceVersion },
    status: { conditions: [condition], ...(storedVersions === undefined ? {} : { storedVersions: [...storedVersions] }) },
  };
}
