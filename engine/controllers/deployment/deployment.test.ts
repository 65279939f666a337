import { describe, expect, it } from 'vitest';
import { newForbidden } from '../../apimachinery/errors.ts';
import type { ReplicaSet } from '../../api/apps/v1/types.gen.ts';
import { deployments, pods, replicaSets } from '../../client/resources.ts';
import { FakeCluster } from '../testing/fake-cluster.ts';
import type { Draft } from '../testing/fake-store.ts';
import { deploymentController } from './controller.ts';

function makeDeployment(replicas: number, extra: object = {}): Draft {
  return {
    metadata: { namespace: 'default', name: 'web' },
    spec: {
      replicas,
      selector: { matchLabels: { app: 'web' } },
      template: templateOf('one'),
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } },
      revisionHistoryLimit: 10,
      progressDeadlineSeconds: 600,
      ...extra,
    },
  };
}

function templateOf(image: string): object {
  return { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image }] } };
}

function edit(fake: FakeCluster, spec: object): void {
  fake.change(deployments, 'default', 'web', (deployment) => ({ ...deployment, spec: { ...deployment.spec, ...spec } }));
}

/** All ReplicaSets have the pods they want, `available` of them or all. */
async function serve(fake: FakeCluster, available?: (replicaSet: ReplicaSet) => number): Promise<void> {
  for (const { metadata } of fake.list(replicaSets)) {
    fake.change(replicaSets, 'default', metadata.name ?? '', (replicaSet) => {
      const size = replicaSet.spec?.replicas ?? 0;
      const up = available?.(replicaSet) ?? size;
      const status = { replicas: size, fullyLabeledReplicas: size, readyReplicas: up, availableReplicas: up, terminatingReplicas: 0 };
      return { ...replicaSet, status: { ...status, observedGeneration: replicaSet.metadata.generation } };
    });
  }
  await fake.settle();
}

function imageOf(replicaSet: ReplicaSet): string {
  return replicaSet.spec?.template?.spec?.containers?.[0]?.image ?? '';
}

function sizes(fake: FakeCluster): Record<string, number> {
  return Object.fromEntries(fake.list(replicaSets).map((replicaSet) => [imageOf(replicaSet), replicaSet.spec?.replicas ?? -1]));
}

function named(fake: FakeCluster, image: string): ReplicaSet {
  return fake.list(replicaSets).find((replicaSet) => imageOf(replicaSet) === image) as ReplicaSet;
}

function conditions(fake: FakeCluster): readonly string[] {
  return (fake.get(deployments, 'default', 'web')?.status?.conditions ?? []).map(({ type, status, reason }) => `${type}=${status} ${reason}`);
}

async function running(replicas: number, extra: object = {}): Promise<FakeCluster> {
  const fake = new FakeCluster();
  fake.add(deployments, makeDeployment(replicas, extra));
  await fake.run(deploymentController);
  await serve(fake);
  fake.clear();
  return fake;
}

describe('deployment-controller', () => {
  it('creates the first ReplicaSet with hash, revision and sizes', async () => {
    const fake = new FakeCluster();
    fake.add(deployments, makeDeployment(4));
    await fake.run(deploymentController);
    const [replicaSet] = fake.list(replicaSets);
    const hash = replicaSet?.metadata.labels?.['pod-template-hash'];
    expect(replicaSet?.metadata.name).toBe(`web-${hash}`);
    expect(replicaSet?.spec?.selector).toEqual({ matchLabels: { app: 'web', 'pod-template-hash': hash } });
    expect(replicaSet?.metadata.annotations).toEqual({
      'deployment.kubernetes.io/revision': '1',
      'deployment.kubernetes.io/desired-replicas': '4',
      'deployment.kubernetes.io/max-replicas': '5',
    });
    expect(fake.eventTexts()).toEqual([`Normal ScalingReplicaSet Scaled up replica set web-${hash} from 0 to 4`]);
    expect(fake.get(deployments, 'default', 'web')?.metadata.annotations).toEqual({ 'deployment.kubernetes.io/revision': '1' });
    expect(conditions(fake)).toEqual(['Progressing=True NewReplicaSetCreated', 'Available=False MinimumReplicasUnavailable']);
    await serve(fake);
    expect(conditions(fake)).toEqual(['Available=True MinimumReplicasAvailable', 'Progressing=True NewReplicaSetAvailable']);
    expect(fake.get(deployments, 'default', 'web')?.status).toMatchObject({
      replicas: 4,
      updatedReplicas: 4,
      readyReplicas: 4,
      availableReplicas: 4,
      terminatingReplicas: 0,
    });
    fake.clear();
    fake.change(deployments, 'default', 'web', (d) => ({ ...d, metadata: { ...d.metadata, labels: { x: 'y' } } }));
    await fake.settle();
    expect(fake.writeTexts()).toEqual([]);
  });

  it('rolls within surge and unavailability', async () => {
    const fake = await running(4);
    edit(fake, { template: templateOf('two') });
    await fake.settle();
    expect(sizes(fake)).toEqual({ one: 3, two: 2 });
    await serve(fake, (replicaSet) => (imageOf(replicaSet) === 'two' ? 0 : 3));
    expect(sizes(fake)).toEqual({ one: 3, two: 2 });
    for (let i = 0; i < 6; i++) await serve(fake);
    expect(sizes(fake)).toEqual({ one: 0, two: 4 });
    expect(conditions(fake)).toContain('Progressing=True NewReplicaSetAvailable');
    expect(fake.get(deployments, 'default', 'web')?.metadata.annotations?.['deployment.kubernetes.io/revision']).toBe('2');
  });

  it('goes back to an old template under a new revision, keeping its history', async () => {
    const fake = await running(1);
    edit(fake, { template: templateOf('two') });
    for (let i = 0; i < 4; i++) await serve(fake);
    edit(fake, { template: templateOf('one') });
    for (let i = 0; i < 4; i++) await serve(fake);
    expect(sizes(fake)).toEqual({ one: 1, two: 0 });
    expect(named(fake, 'one').metadata.annotations).toMatchObject({
      'deployment.kubernetes.io/revision': '3',
      'deployment.kubernetes.io/revision-history': '1',
    });
  });

  it('shares a scaling out in proportion while rolling', async () => {
    const fake = await running(10, { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 3, maxUnavailable: 2 } } });
    edit(fake, { template: templateOf('two') });
    await fake.settle();
    expect(sizes(fake)).toEqual({ one: 8, two: 5 });
    await serve(fake, (replicaSet) => (imageOf(replicaSet) === 'two' ? 0 : 8));
    expect(sizes(fake)).toEqual({ one: 8, two: 5 });
    edit(fake, { replicas: 15 });
    await fake.settle();
    expect(sizes(fake)).toEqual({ one: 11, two: 7 });
  });

  it('recreates only when no old pod is left', async () => {
    const fake = await running(2, { strategy: { type: 'Recreate' } });
    const { name = '', uid = '' } = named(fake, 'one').metadata;
    const ownerReferences = [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name, uid, controller: true }];
    fake.add(pods, { metadata: { namespace: 'default', name: 'p', ownerReferences }, status: { phase: 'Running' } });
    edit(fake, { template: templateOf('two') });
    await fake.settle();
    await serve(fake);
    expect(sizes(fake)).toEqual({ one: 0 });
    fake.remove(pods, 'default', 'p');
    await fake.settle();
    expect(sizes(fake)).toEqual({ one: 0, two: 2 });
  });

  it('scales but does not roll while paused', async () => {
    const fake = await running(2);
    edit(fake, { paused: true, template: templateOf('two'), replicas: 3 });
    await fake.settle();
    expect(sizes(fake)).toEqual({ one: 3 });
    expect(conditions(fake)).toContain('Progressing=Unknown DeploymentPaused');
    edit(fake, { paused: false });
    await fake.settle();
    expect(Object.keys(sizes(fake)).sort()).toEqual(['one', 'two']);
  });

  it('gives up counting on progress at the deadline', async () => {
    const fake = await running(2, { progressDeadlineSeconds: 60 });
    edit(fake, { template: templateOf('two') });
    await fake.settle();
    await serve(fake, (replicaSet) => (imageOf(replicaSet) === 'two' ? 0 : 2));
    await fake.advance(59_000);
    expect(conditions(fake).join()).not.toContain('ProgressDeadlineExceeded');
    await fake.advance(3_000);
    expect(conditions(fake)).toContain('Progressing=False ProgressDeadlineExceeded');
  });

  it('keeps as many old ReplicaSets as the history limit says', async () => {
    const fake = await running(1, { revisionHistoryLimit: 1 });
    for (const image of ['two', 'three', 'four']) {
      edit(fake, { template: templateOf(image) });
      for (let i = 0; i < 5; i++) await serve(fake);
    }
    expect(Object.keys(sizes(fake)).sort()).toEqual(['four', 'three']);
  });

  it('takes another hash when the name is taken', async () => {
    const fake = await running(1);
    const taken = named(fake, 'one');
    fake.remove(replicaSets, 'default', taken.metadata.name ?? '');
    fake.add(replicaSets, {
      metadata: { namespace: 'default', name: taken.metadata.name ?? '' },
      spec: { replicas: 0, selector: { matchLabels: { app: 'x' } } },
    });
    await fake.advance(1000);
    edit(fake, { minReadySeconds: 1 });
    await fake.advance(1000);
    expect(fake.get(deployments, 'default', 'web')?.status?.collisionCount).toBe(1);
    expect(fake.list(replicaSets).length).toBe(2);
  });

  it('adopts matching ReplicaSets and tells of failed creations', async () => {
    const fake = await running(1);
    const { name = '' } = named(fake, 'one').metadata;
    fake.change(replicaSets, 'default', name, (rs) => ({ ...rs, metadata: { ...rs.metadata, ownerReferences: [] } }));
    await fake.settle();
    expect(named(fake, 'one').metadata.ownerReferences?.[0]?.kind).toBe('Deployment');
    fake.refuse = (write) => {
      if (write.verb === 'create') throw newForbidden(replicaSets, 'x', 'no');
    };
    edit(fake, { template: templateOf('two') });
    await fake.settle();
    expect(conditions(fake)).toContain('Progressing=False ReplicaSetCreateError');
    expect(fake.eventTexts().at(-1)).toMatch(
      /^Warning ReplicaSetCreateError Failed to create new replica set "web-[a-z0-9]+": replicasets.apps "x" is forbidden: no$/,
    );
  });
});
