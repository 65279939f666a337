import { describe, expect, it } from 'vitest';
import { newForbidden } from '../../apimachinery/errors.ts';
import type { ReplicaSet } from '../../api/apps/v1/types.gen.ts';
import { deployments, pods, replicaSets } from '../../client/resources.ts';
import { ControllerBench } from '../testing/controller-bench.ts';
import type { Draft } from '../../../test/support/bench.ts';
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

function edit(bench: ControllerBench, spec: object): void {
  bench.change(deployments, 'default', 'web', (deployment) => ({ ...deployment, spec: { ...deployment.spec, ...spec } }));
}

/** All ReplicaSets have the pods they want, `available` of them or all. */
async function serve(bench: ControllerBench, available?: (replicaSet: ReplicaSet) => number): Promise<void> {
  for (const { metadata } of bench.list(replicaSets)) {
    bench.change(replicaSets, 'default', metadata.name ?? '', (replicaSet) => {
      const size = replicaSet.spec?.replicas ?? 0;
      const up = available?.(replicaSet) ?? size;
      const status = { replicas: size, fullyLabeledReplicas: size, readyReplicas: up, availableReplicas: up, terminatingReplicas: 0 };
      return { ...replicaSet, status: { ...status, observedGeneration: replicaSet.metadata.generation } };
    });
  }
  await bench.settle();
}

function imageOf(replicaSet: ReplicaSet): string {
  return replicaSet.spec?.template?.spec?.containers?.[0]?.image ?? '';
}

function sizes(bench: ControllerBench): Record<string, number> {
  return Object.fromEntries(bench.list(replicaSets).map((replicaSet) => [imageOf(replicaSet), replicaSet.spec?.replicas ?? -1]));
}

function named(bench: ControllerBench, image: string): ReplicaSet {
  return bench.list(replicaSets).find((replicaSet) => imageOf(replicaSet) === image) as ReplicaSet;
}

function conditions(bench: ControllerBench): readonly string[] {
  return (bench.get(deployments, 'default', 'web')?.status?.conditions ?? []).map(({ type, status, reason }) => `${type}=${status} ${reason}`);
}

async function running(replicas: number, extra: object = {}): Promise<ControllerBench> {
  const bench = new ControllerBench();
  bench.add(deployments, makeDeployment(replicas, extra));
  await bench.run(deploymentController);
  await serve(bench);
  bench.clear();
  return bench;
}

describe('deployment-controller', () => {
  it('grows no old set whose status is behind its size', async () => {
    const bench = await running(10);
    edit(bench, { template: templateOf('two') });
    await bench.settle();
    const shrunk = sizes(bench)['one'] ?? 0;
    expect(shrunk).toBeLessThan(10);
    // Pods of the new set serve before the old set has told that it has fewer.
    bench.change(replicaSets, 'default', named(bench, 'two').metadata.name ?? '', (replicaSet) => {
      const size = replicaSet.spec?.replicas ?? 0;
      return { ...replicaSet, status: { ...replicaSet.status, replicas: size, readyReplicas: size, availableReplicas: size } };
    });
    await bench.settle();
    expect(sizes(bench)['one']).toBe(shrunk);
    await serve(bench);
    expect(sizes(bench)['one']).toBeLessThan(shrunk);
  });

  it('creates the first ReplicaSet with hash, revision and sizes', async () => {
    const bench = new ControllerBench();
    bench.add(deployments, makeDeployment(4));
    await bench.run(deploymentController);
    const [replicaSet] = bench.list(replicaSets);
    const hash = replicaSet?.metadata.labels?.['pod-template-hash'];
    expect(replicaSet?.metadata.name).toBe(`web-${hash}`);
    expect(replicaSet?.spec?.selector).toEqual({ matchLabels: { app: 'web', 'pod-template-hash': hash } });
    expect(replicaSet?.metadata.annotations).toEqual({
      'deployment.kubernetes.io/revision': '1',
      'deployment.kubernetes.io/desired-replicas': '4',
      'deployment.kubernetes.io/max-replicas': '5',
    });
    expect(bench.eventTexts()).toEqual([`Normal ScalingReplicaSet Scaled up replica set web-${hash} from 0 to 4`]);
    expect(bench.get(deployments, 'default', 'web')?.metadata.annotations).toEqual({ 'deployment.kubernetes.io/revision': '1' });
    expect(conditions(bench)).toEqual(['Progressing=True NewReplicaSetCreated', 'Available=False MinimumReplicasUnavailable']);
    await serve(bench);
    expect(conditions(bench)).toEqual(['Available=True MinimumReplicasAvailable', 'Progressing=True NewReplicaSetAvailable']);
    expect(bench.get(deployments, 'default', 'web')?.status).toMatchObject({
      replicas: 4,
      updatedReplicas: 4,
      readyReplicas: 4,
      availableReplicas: 4,
      terminatingReplicas: 0,
    });
    bench.clear();
    bench.change(deployments, 'default', 'web', (d) => ({ ...d, metadata: { ...d.metadata, labels: { x: 'y' } } }));
    await bench.settle();
    expect(bench.writeTexts()).toEqual([]);
  });

  it('rolls within surge and unavailability', async () => {
    const bench = await running(4);
    edit(bench, { template: templateOf('two') });
    await bench.settle();
    expect(sizes(bench)).toEqual({ one: 3, two: 2 });
    await serve(bench, (replicaSet) => (imageOf(replicaSet) === 'two' ? 0 : 3));
    expect(sizes(bench)).toEqual({ one: 3, two: 2 });
    for (let i = 0; i < 6; i++) await serve(bench);
    expect(sizes(bench)).toEqual({ one: 0, two: 4 });
    expect(conditions(bench)).toContain('Progressing=True NewReplicaSetAvailable');
    expect(bench.get(deployments, 'default', 'web')?.metadata.annotations?.['deployment.kubernetes.io/revision']).toBe('2');
  });

  it('goes back to an old template under a new revision, keeping its history', async () => {
    const bench = await running(1);
    edit(bench, { template: templateOf('two') });
    for (let i = 0; i < 4; i++) await serve(bench);
    edit(bench, { template: templateOf('one') });
    for (let i = 0; i < 4; i++) await serve(bench);
    expect(sizes(bench)).toEqual({ one: 1, two: 0 });
    expect(named(bench, 'one').metadata.annotations).toMatchObject({
      'deployment.kubernetes.io/revision': '3',
      'deployment.kubernetes.io/revision-history': '1',
    });
  });

  it('shares a scaling out in proportion while rolling', async () => {
    const bench = await running(10, { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 3, maxUnavailable: 2 } } });
    edit(bench, { template: templateOf('two') });
    await bench.settle();
    expect(sizes(bench)).toEqual({ one: 8, two: 5 });
    await serve(bench, (replicaSet) => (imageOf(replicaSet) === 'two' ? 0 : 8));
    expect(sizes(bench)).toEqual({ one: 8, two: 5 });
    edit(bench, { replicas: 15 });
    await bench.settle();
    expect(sizes(bench)).toEqual({ one: 11, two: 7 });
  });

  it('recreates only when no old pod is left', async () => {
    const bench = await running(2, { strategy: { type: 'Recreate' } });
    const { name = '', uid = '' } = named(bench, 'one').metadata;
    const ownerReferences = [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name, uid, controller: true }];
    bench.add(pods, { metadata: { namespace: 'default', name: 'p', ownerReferences }, status: { phase: 'Running' } });
    edit(bench, { template: templateOf('two') });
    await bench.settle();
    await serve(bench);
    expect(sizes(bench)).toEqual({ one: 0 });
    bench.remove(pods, 'default', 'p');
    await bench.settle();
    expect(sizes(bench)).toEqual({ one: 0, two: 2 });
  });

  it('scales but does not roll while paused', async () => {
    const bench = await running(2);
    edit(bench, { paused: true, template: templateOf('two'), replicas: 3 });
    await bench.settle();
    expect(sizes(bench)).toEqual({ one: 3 });
    expect(conditions(bench)).toContain('Progressing=Unknown DeploymentPaused');
    edit(bench, { paused: false });
    await bench.settle();
    expect(Object.keys(sizes(bench)).sort()).toEqual(['one', 'two']);
  });

  it('gives up counting on progress at the deadline', async () => {
    const bench = await running(2, { progressDeadlineSeconds: 60 });
    edit(bench, { template: templateOf('two') });
    await bench.settle();
    await serve(bench, (replicaSet) => (imageOf(replicaSet) === 'two' ? 0 : 2));
    await bench.advance(59_000);
    expect(conditions(bench).join()).not.toContain('ProgressDeadlineExceeded');
    await bench.advance(3_000);
    expect(conditions(bench)).toContain('Progressing=False ProgressDeadlineExceeded');
  });

  it('keeps as many old ReplicaSets as the history limit says', async () => {
    const bench = await running(1, { revisionHistoryLimit: 1 });
    for (const image of ['two', 'three', 'four']) {
      edit(bench, { template: templateOf(image) });
      for (let i = 0; i < 5; i++) await serve(bench);
    }
    expect(Object.keys(sizes(bench)).sort()).toEqual(['four', 'three']);
  });

  it('takes another hash when the name is taken', async () => {
    const bench = await running(1);
    const taken = named(bench, 'one');
    bench.remove(replicaSets, 'default', taken.metadata.name ?? '');
    bench.add(replicaSets, {
      metadata: { namespace: 'default', name: taken.metadata.name ?? '' },
      spec: { replicas: 0, selector: { matchLabels: { app: 'x' } } },
    });
    await bench.advance(1000);
    edit(bench, { minReadySeconds: 1 });
    await bench.advance(1000);
    expect(bench.get(deployments, 'default', 'web')?.status?.collisionCount).toBe(1);
    expect(bench.list(replicaSets).length).toBe(2);
  });

  it('adopts matching ReplicaSets and tells of failed creations', async () => {
    const bench = await running(1);
    const { name = '' } = named(bench, 'one').metadata;
    bench.change(replicaSets, 'default', name, (rs) => ({ ...rs, metadata: { ...rs.metadata, ownerReferences: [] } }));
    await bench.settle();
    expect(named(bench, 'one').metadata.ownerReferences?.[0]?.kind).toBe('Deployment');
    bench.refuse = (write) => {
      if (write.verb === 'create') throw newForbidden(replicaSets, 'x', 'no');
    };
    edit(bench, { template: templateOf('two') });
    await bench.settle();
    expect(conditions(bench)).toContain('Progressing=False ReplicaSetCreateError');
    expect(bench.eventTexts().at(-1)).toMatch(
      /^Warning ReplicaSetCreateError Failed to create new replica set "web-[a-z0-9]+": replicasets.apps "x" is forbidden: no$/,
    );
  });
});

describe('the rollback that old clients ask for', () => {
  it.each([
    { asked: '1', image: 'one', event: 'Normal DeploymentRollback Rolled back deployment "web" to revision 1' },
    { asked: '0', image: 'one', event: 'Normal DeploymentRollback Rolled back deployment "web" to revision 1' },
    {
      asked: '2',
      image: 'two',
      event: 'Warning DeploymentRollbackTemplateUnchanged The rollback revision contains the same template as current deployment "web"',
    },
    { asked: '9', image: 'two', event: 'Warning DeploymentRollbackRevisionNotFound Unable to find the revision to rollback to.' },
  ])('to $asked', async ({ asked, image, event }) => {
    const bench = new ControllerBench();
    bench.add(deployments, makeDeployment(1));
    await bench.run(deploymentController);
    edit(bench, { template: templateOf('two') });
    await bench.settle();
    bench.clear();
    bench.change(deployments, 'default', 'web', (deployment) => {
      const { metadata } = deployment;
      return { ...deployment, metadata: { ...metadata, annotations: { ...metadata.annotations, 'deprecated.deployment.rollback.to': asked } } };
    });
    await bench.settle();
    const { metadata, spec } = bench.mustGet(deployments, 'default', 'web');
    expect(spec?.template?.spec?.containers?.[0]?.image).toBe(image);
    expect(metadata.annotations?.['deprecated.deployment.rollback.to']).toBeUndefined();
    expect(bench.eventTexts()[0]).toBe(event);
  });
});
