/**
 * Writes every object of a resource again, so that it is stored as present releases store it: one StorageVersionMigration at a time for
 * each resource. Mirrors pkg/controller/storageversionmigrator, whose three loops are three kinds of key here; objects are listed and
 * not taken from the garbage collector's caches.
 */
import type { StorageVersionMigration } from '../../api/storagemigration/v1beta1/types.gen.ts';
import { isConflict } from '../../apimachinery/errors.ts';
import { StatusError } from '../../apimachinery/status.ts';
import type { KubeObject } from '../../apimachinery/object.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Client, ResourceType } from '../../client/client.ts';
import type { Informer, InformerEvent } from '../../client/informer.ts';
import { resourceType } from '../../client/resources.ts';
import { type Controller, type ReconcileContext, watchOf } from '../../controller-runtime/controller.ts';
import { RetryError } from '../../controller-runtime/retry-error.ts';
import { type ControllerEnvironment, defineController } from '../controller.ts';
import { parseTime } from '../lib/time.ts';
import { isDone, isTrue, nextOf, withCondition, withoutRunning } from './conditions.ts';
import { type MigratedResource, tellEnd, tellRunning } from './definition-status.ts';

const name = 'storage-version-migrator-controller';
const group = 'storagemigration.k8s.io';
const migrations = resourceType<StorageVersionMigration>(group, 'v1beta1', 'storageversionmigrations', 'StorageVersionMigration', false);
const resourcePrefix = 'resource:';
const migrationPrefix = 'migration:';
/** Nobody has a namespace of this name; a list of it tells the present revision and nothing else. */
const nobodysNamespace = '@fake:svm_ns!';
/** How long a resource may be unknown: discovery is looked at every thirty seconds. */
const unknownMs = 60_000;
/** The server may answer otherwise later. */
const passingReasons: readonly (string | undefined)[] = ['ServerTimeout', 'TooManyRequests', 'ServiceUnavailable', 'InternalError', 'Timeout'];

class StorageVersionMigratorController implements Controller {
  readonly #environment: ControllerEnvironment;
  readonly #migrations: Informer<StorageVersionMigration>;

  constructor(environment: ControllerEnvironment) {
    this.#environment = environment;
    this.#migrations = environment.informer(migrations);
  }

  async reconcile({ client }: ReconcileContext, key: string): Promise<void> {
    if (key.startsWith(resourcePrefix)) {
      await this.#promote(client, key.slice(resourcePrefix.length));
      return;
    }
    const migration = this.#migrations.get(undefined, key.slice(migrationPrefix.length));
    if (migration === undefined || !isTrue(migration, 'Running') || isDone(migration)) return;
    if (migration.status?.resourceVersion) await this.#migrate(client, migration, migration.status.resourceVersion);
    else await this.#noteRevision(client, migration);
  }

  /** Ends what is over, and lets the next one begin. */
  async #promote(client: Client, resource: string): Promise<void> {
    const { ended, next } = nextOf(this.#migrations.list().filter((migration) => resourceKey(migration) === resource));
    const nowMs = this.#environment.nowMs();
    for (const migration of ended) {
      await tellEnd(client, resourceOf(migration), isTrue(migration, 'Succeeded'), nowMs);
      await client.updateStatus(migrations, withoutRunning(migration, nowMs));
    }
    if (next === undefined) return;
    await tellRunning(client, resourceOf(next), next.metadata.name ?? '', nowMs);
    await client.updateStatus(migrations, withCondition(next, 'Running', 'MigrationRunning', 'The migration is running', nowMs));
  }

  /** Objects that are written after this revision need no migration. */
  async #noteRevision(client: Client, migration: StorageVersionMigration): Promise<void> {
    const type = this.#typeOf(migration);
    if (type === undefined) {
      await this.#fail(client, migration, 'resource does not exist in discovery');
      return;
    }
    const { metadata } = await client.list(type, type.namespaced ? nobodysNamespace : undefined, { limit: 1 });
    await client.updateStatus(migrations, { ...migration, status: { ...migration.status, resourceVersion: metadata.resourceVersion ?? '' } });
  }

  async #migrate(client: Client, migration: StorageVersionMigration, revision: string): Promise<void> {
    const type = this.#typeOf(migration);
    if (type === undefined) {
      await this.#fail(client, migration, 'migration encountered unhandled error: unable to obtain GVR from discovery');
      return;
    }
    const { items } = await client.list(type, undefined);
    for (const object of items ?? []) {
      if (BigInt(object.metadata.resourceVersion ?? 0) > BigInt(revision)) continue;
      try {
        await rewrite(client, type, object);
      } catch (error) {
        // Who changed or deleted it meanwhile has done the work.
        if (isConflict(error)) continue;
        if (!(error instanceof StatusError) || passingReasons.includes(error.status.reason)) throw error;
        await this.#fail(client, migration, `migration encountered unhandled error: ${error.message}`);
        return;
      }
    }
    const done = withCondition(migration, 'Succeeded', 'StorageVersionMigrationSucceeded', '', this.#environment.nowMs());
    await client.updateStatus(migrations, done);
  }

  async #fail(client: Client, migration: StorageVersionMigration, message: string): Promise<void> {
    const failed = withCondition(migration, 'Failed', 'StorageVersionMigrationFailed', message, this.#environment.nowMs());
    await client.updateStatus(migrations, failed);
  }

  /** Undefined when there is no such resource; throws while one may still come. */
  #typeOf(migration: StorageVersionMigration): ResourceType | undefined {
    const wanted = resourceOf(migration);
    const found = this.#environment.deletableResources().find((type) => type.group === wanted.group && type.resource === wanted.resource);
    const ageMs = this.#environment.nowMs() - (parseTime(migration.metadata.creationTimestamp) ?? 0);
    if (found === undefined && ageMs < unknownMs) throw new RetryError('resource does not exist in our rest mapper, requeuing to attempt again');
    return found;
  }
}

/** An apply of nothing: the object is written if it would now be stored otherwise. Neither another nor a changed object is touched. */
async function rewrite(client: Client, type: ResourceType, { metadata }: KubeObject): Promise<void> {
  const { namespace, name: objectName = '', uid = '', resourceVersion = '' } = metadata;
  const apiVersion = type.group === '' ? type.version : `${type.group}/${type.version}`;
  const nothing: JsonObject = { kind: type.kind, apiVersion, metadata: { uid, resourceVersion } };
  await client.patch(type, namespace, objectName, 'apply', nothing, { fieldManager: name });
}

function resourceOf({ spec }: StorageVersionMigration): MigratedResource {
  const { group: ofGroup = '', resource = '' } = spec?.resource ?? {};
  return { group: ofGroup, resource };
}

function resourceKey(migration: StorageVersionMigration): string {
  const { group: ofGroup, resource } = resourceOf(migration);
  return `${ofGroup}/${resource}`;
}

function keysOf({ type, object }: InformerEvent<StorageVersionMigration>): readonly string[] {
  return [resourcePrefix + resourceKey(object), ...(type === 'delete' ? [] : [`${migrationPrefix}${object.metadata.name}`])];
}

export const storageVersionMigratorController = defineController<StorageVersionMigratorController>({
  name,
  aliases: ['svm'],
  gates: ['StorageVersionMigrator'],
  serviceAccount: name,
  rules: [
    { apiGroups: ['*'], resources: ['*'], verbs: ['create', 'list', 'patch'] },
    { apiGroups: ['apiextensions.k8s.io'], resources: ['customresourcedefinitions'], verbs: ['get'] },
    { apiGroups: ['apiextensions.k8s.io'], resources: ['customresourcedefinitions/status'], verbs: ['patch'] },
    { apiGroups: [group], resources: ['storageversionmigrations/status'], verbs: ['update'] },
  ],
  eventSource: name,
  clientShare: { qps: 20, burst: 100 },
  workers: () => 5,
  watches: [watchOf(migrations, keysOf)],
  create: (environment) => new StorageVersionMigratorController(environment),
});
