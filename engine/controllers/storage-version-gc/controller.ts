/**
 * Removes from StorageVersions what API servers said that are gone: their leases in kube-system tell. Mirrors
 * pkg/controller/storageversiongc/gc_controller.go.
 */
import type { ServerStorageVersion, StorageVersion } from '../../api/apiserverinternal/v1alpha1/types.gen.ts';
import type { Lease } from '../../api/coordination/v1/types.gen.ts';
import { isNotFound } from '../../apimachinery/errors.ts';
import type { Client } from '../../client/client.ts';
import type { Informer, InformerEvent } from '../../client/informer.ts';
import { leases, resourceType } from '../../client/resources.ts';
import { type Controller, type ReconcileContext, watchOf } from '../../controller-runtime/controller.ts';
import { type ControllerEnvironment, defineController } from '../controller.ts';

const leaseNamespace = 'kube-system';
const leasePrefix = 'lease/';
const versionPrefix = 'version/';
const storageVersions = resourceType<StorageVersion>('internal.apiserver.k8s.io', 'v1alpha1', 'storageversions', 'StorageVersion', false);

class StorageVersionCollector implements Controller {
  readonly #leases: Informer<Lease>;

  constructor(environment: ControllerEnvironment) {
    this.#leases = environment.informer(leases);
  }

  keysOf({ type, object }: InformerEvent<StorageVersion>): readonly string[] {
    if (type === 'delete') return [];
    const isStale = versionsOf(object).some(({ apiServerID = '' }) => !isOfApiServer(this.#leases.get(leaseNamespace, apiServerID)));
    return isStale ? [versionPrefix + (object.metadata.name ?? '')] : [];
  }

  async reconcile({ client }: ReconcileContext, key: string): Promise<void> {
    if (key.startsWith(leasePrefix)) await forgetServer(client, key.slice(leasePrefix.length));
    else await this.#check(client, key.slice(versionPrefix.length));
  }

  async #check(client: Client, name: string): Promise<void> {
    const found = await getOrUndefined(client, name);
    if (found === undefined) return;
    const kept: ServerStorageVersion[] = [];
    for (const version of versionsOf(found)) if (await isThere(client, version.apiServerID ?? '')) kept.push(version);
    if (kept.length < versionsOf(found).length) await write(client, found, kept);
  }
}

/** An API server's lease went: nothing of what it said counts any more. */
async function forgetServer(client: Client, server: string): Promise<void> {
  if (await isThere(client, server, () => true)) return;
  const { items } = await client.list(storageVersions, undefined);
  for (const version of items) {
    const kept = versionsOf(version).filter(({ apiServerID }) => apiServerID !== server);
    if (kept.length < versionsOf(version).length) await write(client, version, kept);
  }
}

async function write(client: Client, version: StorageVersion, kept: readonly ServerStorageVersion[]): Promise<void> {
  if (kept.length === 0) {
    await client.delete(storageVersions, undefined, version.metadata.name ?? '');
    return;
  }
  const encodings = new Set(kept.map(({ encodingVersion }) => encodingVersion));
  const { commonEncodingVersion: _, ...status } = version.status ?? {};
  const [common] = encodings.size === 1 ? [...encodings] : [];
  const next = { ...status, storageVersions: kept, ...(common === undefined ? {} : { commonEncodingVersion: common }) };
  await client.updateStatus(storageVersions, { ...version, status: next });
}

async function isThere(client: Client, server: string, counts: (lease: Lease) => boolean = isOfApiServer): Promise<boolean> {
  try {
    return counts(await client.get(leases, leaseNamespace, server));
  } catch (error) {
    if (!isNotFound(error)) throw error;
    return false;
  }
}

async function getOrUndefined(client: Client, name: string): Promise<StorageVersion | undefined> {
  try {
    return await client.get(storageVersions, undefined, name);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    return undefined;
  }
}

function versionsOf({ status }: StorageVersion): readonly ServerStorageVersion[] {
  return status?.storageVersions ?? [];
}

function isOfApiServer(lease: Lease | undefined): boolean {
  return lease?.metadata.labels?.['apiserver.kubernetes.io/identity'] === 'kube-apiserver';
}

function keysOfLease({ type, object }: InformerEvent<Lease>): readonly string[] {
  const isServer = type === 'delete' && object.metadata.namespace === leaseNamespace && isOfApiServer(object);
  return isServer ? [leasePrefix + (object.metadata.name ?? '')] : [];
}

export const storageVersionGarbageCollectorController = defineController<StorageVersionCollector>({
  name: 'storageversion-garbage-collector-controller',
  aliases: ['storage-version-gc'],
  gates: ['APIServerIdentity', 'StorageVersionAPI'],
  serviceAccount: 'storage-version-garbage-collector',
  rules: [
    { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['get', 'list', 'watch'] },
    { apiGroups: ['internal.apiserver.k8s.io'], resources: ['storageversions'], verbs: ['delete', 'get', 'list', 'watch'] },
    { apiGroups: ['internal.apiserver.k8s.io'], resources: ['storageversions/status'], verbs: ['update'] },
  ],
  eventSource: 'storageversion-garbage-collector-controller',
  workers: () => 1,
  watches: [watchOf(leases, keysOfLease), watchOf(storageVersions, (event, controller: StorageVersionCollector) => controller.keysOf(event))],
  create: (environment) => new StorageVersionCollector(environment),
});
