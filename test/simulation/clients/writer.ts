/** A client that writes what it read earlier, writes status through the spec's door and the other way round, deletes under conditions, tries without doing. */
import { aDeployment } from '../../support/cluster.ts';
import { anyOf, apps, core, pathOf, pick, type Swarm } from '../draw.ts';
import type { Thing } from '../world.ts';
import type { Bystander } from './client.ts';

type Deployment = Thing & { readonly spec: { readonly replicas: number }; readonly status?: object };

export class Writer implements Bystander {
  readonly name = 'writes mean what they say';
  #read: Thing | undefined;

  step(swarm: Swarm): void {
    this.#writeBack(swarm);
    pick(swarm, [writeAcross, deleteUnderConditions, tryOnly, createTwice, createWhereItEnds])(swarm, (text) => swarm.complain(this.name, text));
  }

  /** An update of what has changed since it was read is a conflict; else it is taken. */
  #writeBack(swarm: Swarm): void {
    const read = this.#read;
    this.#read = swarm.below(2) === 0 ? anyOf<Deployment>(swarm, 'deployments') : undefined;
    if (read === undefined) return;
    const now = swarm.world.get('deployments', read.metadata.namespace, read.metadata.name ?? '');
    const { status } = swarm.made.ask('PUT', pathOf(apps, 'deployments', read), {
      ...read,
      metadata: { ...read.metadata, managedFields: undefined },
    });
    const stale = now?.metadata.resourceVersion !== read.metadata.resourceVersion;
    if (now === undefined ? status !== 404 && status !== 409 : stale ? status !== 409 : status !== 200)
      swarm.complain(this.name, `writing ${read.metadata.name} of ${read.metadata.resourceVersion} over ${now?.metadata.resourceVersion}: ${status}`);
  }
}

type Complain = (text: string) => void;

function writeAcross(swarm: Swarm, complain: Complain): void {
  const found = anyOf<Deployment>(swarm, 'deployments');
  if (found === undefined || found.metadata.deletionTimestamp !== undefined) return;
  const path = pathOf(apps, 'deployments', found);
  const swollen = { ...found, spec: { ...found.spec, replicas: found.spec.replicas + 1 } };
  swarm.made.ask('PUT', `${path}/status`, swollen);
  const after = swarm.made.call<Deployment>('GET', path);
  if (after.spec.replicas !== found.spec.replicas) complain(`a write of ${path}/status set replicas to ${after.spec.replicas}`);
  if (after.metadata.generation !== found.metadata.generation) complain(`a write of ${path}/status moved the generation`);
  swarm.made.ask('PUT', path, { ...after, status: { ...after.status, replicas: 77, observedGeneration: 99 } });
  const last = swarm.made.call<Deployment>('GET', path);
  if (JSON.stringify(last.status) !== JSON.stringify(after.status)) complain(`a write of ${path} changed its status`);
}

function deleteUnderConditions(swarm: Swarm, complain: Complain): void {
  const found = anyOf(swarm, 'configmaps');
  if (found === undefined) return;
  const body = (preconditions: object): object => ({ apiVersion: 'v1', kind: 'DeleteOptions', preconditions });
  const path = pathOf(core, 'configmaps', found);
  for (const preconditions of [{ uid: 'another' }, { resourceVersion: '1' }, { uid: found.metadata.uid, resourceVersion: '1' }]) {
    const { status } = swarm.made.ask('DELETE', path, body(preconditions));
    if (status !== 409) complain(`a delete of ${path} under ${JSON.stringify(preconditions)}: ${status}`);
  }
}

/** A dry run answers as the real one would and leaves nothing behind. */
function tryOnly(swarm: Swarm, complain: Complain): void {
  const before = swarm.made.cluster.store.currentRevision();
  swarm.made.ask('POST', `${apps}/namespaces/default/deployments?dryRun=All`, aDeployment('never', 3));
  const found = anyOf(swarm, 'pods');
  if (found !== undefined) swarm.made.ask('DELETE', `${pathOf(core, 'pods', found)}?dryRun=All`);
  if (swarm.made.cluster.store.currentRevision() !== before) complain('a dry run wrote something');
}

function createTwice(swarm: Swarm, complain: Complain): void {
  const found = anyOf(swarm, 'configmaps');
  if (found === undefined) return;
  const { namespace = '', name } = found.metadata;
  if (swarm.world.get('namespaces', undefined, namespace)?.metadata.deletionTimestamp !== undefined) return;
  const path = `${core}/namespaces/${namespace}/configmaps`;
  const { object } = swarm.made.ask('POST', path, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });
  // Where a quota is full it speaks first.
  if (object.reason !== 'AlreadyExists' && object.reason !== 'Forbidden') complain(`a second ${path}/${name}: ${object.reason}`);
}

function createWhereItEnds(swarm: Swarm, complain: Complain): void {
  for (const { metadata } of swarm.world.all('namespaces')) {
    if (metadata.deletionTimestamp === undefined) continue;
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'late' } };
    const { status } = swarm.made.ask('POST', `${core}/namespaces/${metadata.name}/configmaps`, body);
    if (status !== 403) complain(`a creation in terminating ${metadata.name}: ${status}`);
  }
}
