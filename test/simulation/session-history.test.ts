/** What history knows of a session that is opened: it is looked at later, and is the same as if it had been there all the time. */
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
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

  it('is text until somebody asks, is taken up piece by piece, and nobody can tell', async () => {
    const path = join(folder, 'text');
    const known = await stopped(path);
    const again = await openSession(path);
    const { history } = again.cluster;
    expect(history.isBehind).toBe(true);
    let steps = 0;
    for (; history.isBehind; steps++) history.catchUp(1);
    expect(steps).toBeGreaterThan(history.rowCount);
    expect(text(again)).toBe(known);
    again.kill();
  });

  it('is written again by whoever has never asked for it', async () => {
    const path = join(folder, 'unasked');
    const known = await stopped(path);
    for (let round = 0; round < 2; round++) {
      const again = await openSession(path);
      await again.close();
    }
    const again = await openSession(path);
    expect(text(again)).toBe(known);
    again.kill();
  });

  it('is checked at once where another build wrote it', async () => {
    const path = join(folder, 'foreign');
    const known = await stopped(path);
    writeLines(path, (body) => body.replace(/"build":"[0-9a-f]+"/, '"build":"0123456789abcdef"'));
    const again = await openSession(path);
    expect(again.cluster.history.isBehind).toBe(false);
    expect(text(again)).toBe(known);
    again.kill();
    writeLines(path, (body) => withTextForTime(body));
    const { digest } = again.cluster;
    const anew = await openSession(path);
    expect(anew.resumed?.notes).toEqual([expect.stringContaining('it remembers other things, so all')]);
    expect([anew.cluster.digest, text(anew)]).toEqual([digest, known]);
    anew.kill();
  });

  it('of a damaged base is that of the base before, or of the beginning: the damage is found before anything is taken up', async () => {
    const path = join(folder, 'damaged');
    const known = await stopped(path);
    const bytes = readFileSync(path);
    const at = bytes.lastIndexOf('"p":["derived","history","notes"');
    bytes.writeUInt8(bytes.readUInt8(at + 60) ^ 1, at + 60);
    writeFileSync(path, bytes);
    const again = await openSession(path);
    expect(text(again)).toBe(known);
    again.kill();
  });

  it('tells the log alone of a piece that it cannot take up, and takes up the others', async () => {
    const path = join(folder, 'piece');
    await stopped(path);
    // Of one row, in whichever base it is.
    const uid = /"derived","history","rows","([^"]+)"/.exec(readFileSync(path, 'utf8'))?.[1] ?? '';
    writeLines(path, (body) => (body.includes(uid) ? withTextForTime(body) : body));
    const lines: string[] = [];
    const again = await openSession(path, {}, undefined, { log: (line) => void lines.push(line) });
    const { digest } = again.cluster;
    expect(again.cluster.history.rowCount).toBeGreaterThan(10);
    expect(lines).toContainEqual(expect.stringContaining('createdMs is not a number'));
    expect(again.cluster.digest).toBe(digest);
    again.kill();
  });
});

/** Stopped cleanly with a base that knows all: what was derived is in it. */
async function stopped(path: string): Promise<string> {
  const session = await openSession(path, { seed: 5, nodes: 3 });
  session.call('POST', deployments, aDeployment('web', 2));
  session.call('POST', cronJobs, cronJob);
  await session.advance(90_000);
  await session.quiet();
  session.recorder.commit();
  session.kill();
  // Whoever goes on from the inputs alone begins with a base.
  const lines = readFileSync(path, 'utf8').split('\n');
  writeFileSync(path, lines.filter((line) => !/^.{9}\{"t":"(based|checkpoint)"/.test(line)).join('\n'));
  const again = await openSession(path);
  await again.close();
  return text(again);
}

/** A row's time as a text of the same length: lines are named by where they are. */
function withTextForTime(body: string): string {
  return body.replace(
    /("derived","history","rows",".*"createdMs":)([\d.]+)/,
    (_all, before: string, ms: string) => `${before}"${'x'.repeat(ms.length - 2)}"`,
  );
}

/** The lines of a session, changed, with checksums that fit. */
function writeLines(path: string, change: (body: string) => string): void {
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
  const changed = lines.map((line) => {
    const body = change(line.slice(8));
    return `${crc32(body).toString(16).padStart(8, '0')}${body}\n`;
  });
  writeFileSync(path, changed.join(''));
}
