/** What history knows of a session that is opened: it is looked at later, and is the same as if it had been there all the time. */
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { aDeployment } from '../support/cluster.ts';
import { openSession, type OpenSession } from '../support/session.ts';

const deployments = '/apis/apps/v1/namespaces/default/deployments';
const cronJobs = '/apis/batch/v1/namespaces/default/cronjobs';

let folder = '';
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'wavetank-history-'))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const cronJob = {
  apiVersion: 'batch/v1',
  kind: 'CronJob',
  metadata: { name: 'each-minute' },
  spec: {
    schedule: '* * * * *',
    startingDeadlineSeconds: 20,
    jobTemplate: { spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'busybox', command: ['true'] }] } } } },
  },
};

/** Killed a while after its last restore point, so that changes come after it. */
async function killed(path: string): Promise<string> {
  const session = await openSession(path, { seed: 5, nodes: 3 });
  session.call('POST', deployments, aDeployment('web', 2));
  session.call('POST', cronJobs, cronJob);
  await session.advance(20_000);
  await session.quiet();
  session.recorder.point();
  session.call('POST', deployments, aDeployment('later', 3));
  await session.advance(90_000);
  await session.quiet();
  session.recorder.point();
  session.recorder.commit();
  session.kill();
  return text(session);
}

function text({ cluster }: Pick<OpenSession, 'cluster'>): string {
  return JSON.stringify(cluster.saveDerived());
}

describe('history of a session that is opened', () => {
  it('looks at what came after the base when somebody asks, and then knows what it knew', async () => {
    const path = join(folder, 'asked');
    const known = await killed(path);
    const again = await openSession(path);
    expect(again.cluster.history.isBehind).toBe(true);
    again.cluster.history.catchUp(10);
    expect(again.cluster.history.isBehind).toBe(true);
    expect(again.cluster.history.find('deployments.apps/default/later')?.deletedMs).toBe(0);
    expect(again.cluster.history.isBehind).toBe(false);
    expect(text(again)).toBe(known);
    again.kill();
  });

  it('lets what changes meanwhile wait its turn, and forgets nothing that it has not looked at', async () => {
    const path = join(folder, 'late');
    await killed(path);
    copyFileSync(path, `${path}-copy`);
    const goOn = async (from: string, isLate: boolean): Promise<string> => {
      const session = await openSession(from);
      if (!isLate) session.cluster.history.catchUp();
      session.call('DELETE', `${deployments}/later`);
      await session.advance(30_000);
      expect(session.cluster.history.isBehind).toBe(isLate);
      // Ten minutes: old revisions are freed.
      await session.advance(600_000);
      expect(session.cluster.history.isBehind).toBe(false);
      await session.quiet();
      session.kill();
      return text(session);
    };
    expect(await goOn(path, true)).toBe(await goOn(`${path}-copy`, false));
  });

  it('tells the log alone of an old change that it cannot look at: when it looks depends on wall time', async () => {
    const path = join(folder, 'broken');
    await killed(path);
    const { cluster, kill } = await openSession(path);
    const before = [cluster.digest, JSON.stringify(cluster.crashes.list())];
    const look = vi.spyOn(cluster.registry.table, 'list').mockImplementationOnce(() => {
      throw new Error('no such thing');
    });
    cluster.history.catchUp();
    expect(look).toHaveBeenCalled();
    expect([cluster.digest, JSON.stringify(cluster.crashes.list())]).toEqual(before);
    kill();
  });
});
