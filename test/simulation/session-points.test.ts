/** Restore points of a session (SESSION-FILE.md F8, F9): what they cost, what they share, and that a base may be written in their midst. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { JsonValue } from '../../engine/base/json.ts';
import type { ClusterConfig } from '../../engine/cluster/config.ts';
import { Random } from '../../engine/base/random.ts';
import { decodeLine } from '../../engine/persistence/log-line.ts';
import { SessionFile } from '../../engine/persistence/session-file.ts';
import type { CheckpointRecord, SessionRecord } from '../../engine/persistence/session-records.ts';
import { aDeployment } from '../support/cluster.ts';
import { type OpenSession, openSession, reached } from '../support/session.ts';

const deployments = '/apis/apps/v1/namespaces/default/deployments';
const configMaps = '/api/v1/namespaces/default/configmaps';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'wavetank-points-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Line {
  readonly offset: number;
  readonly end: number;
  readonly record: SessionRecord;
}

function linesOf(path: string): readonly Line[] {
  const bytes = readFileSync(path);
  const lines: Line[] = [];
  for (let offset = 0; offset < bytes.length; ) {
    const feed = bytes.indexOf(0x0a, offset);
    lines.push({ offset, end: feed + 1, record: decodeLine(bytes.subarray(offset, feed)) as SessionRecord });
    offset = feed + 1;
  }
  return lines;
}

/** Points come by tasks run, however fast the machine is. */
async function openedAtEvenPace(path: string, config: Partial<ClusterConfig>): Promise<OpenSession> {
  let tasks = (): number => 0;
  vi.spyOn(process, 'cpuUsage').mockImplementation(() => ({ user: tasks() * 200, system: 0 }));
  const session = await openSession(path, config);
  tasks = () => session.cluster.loop.tasksRun;
  return session;
}

/** Rollouts beside large objects, so that bases are long and points come while they are written. Places and their digests. */
async function useBusily(session: OpenSession, rounds: number): Promise<ReadonlyMap<number, string>> {
  const places = new Map<number, string>();
  for (let round = 0; round < rounds; round++) {
    for (const part of ['a', 'b', 'c'])
      session.call('POST', configMaps, {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: `${part}-${round}` },
        data: { big: 'x'.repeat(1_000_000) },
      });
    session.call('POST', deployments, aDeployment(`web-${round}`, 12));
    for (let part = 0; part < 10; part++) {
      await session.advance(300);
      session.recorder.commit();
      places.set(session.cluster.loop.tasksRun, session.cluster.digest);
    }
  }
  return places;
}

/** The lines of the last base that has points in its midst. */
function interleaved(lines: readonly Line[]): readonly Line[] {
  for (let end = lines.length - 1; end >= 0; end--) {
    const { record } = lines[end] as Line;
    if (record.t !== 'based') continue;
    const base = lines.slice(
      lines.findLastIndex(({ record: { t } }, at) => at < end && t === 'base'),
      end + 1,
    );
    if (base.some(({ record: { t } }) => t === 'checkpoint')) return base;
  }
  throw new Error('no point was written while a base was');
}

describe('a base that is written while the cluster goes on', () => {
  let path: string;
  let places: ReadonlyMap<number, string>;
  let lines: readonly Line[];
  beforeAll(async () => {
    path = join(folder, 'busy');
    const session = await openedAtEvenPace(path, { seed: 9 });
    session.recorder.point();
    places = await useBusily(session, 4);
    await session.close();
    vi.restoreAllMocks();
    lines = linesOf(path);
  });

  it('shares the points of that time with the base before: each is a delta to the one before it', () => {
    const base = interleaved(lines);
    const points = lines.filter(({ record: { t } }) => t === 'checkpoint') as readonly (Line & { readonly record: CheckpointRecord })[];
    const [begin] = base;
    expect(points.some(({ offset }) => begin?.record.t === 'base' && offset === begin.record.same)).toBe(true);
    for (const [index, { record }] of points.entries()) if (index > 0) expect(record.from).toBe(points[index - 1]?.offset);
  });

  it('is what a place of that time is reached from, and without it the base before', async () => {
    const base = interleaved(lines);
    const [begin, end] = [base[0] as Line, base.at(-1) as Line];
    const between = base.flatMap(({ record }) => (record.t === 'checkpoint' ? [record] : []));
    const file = SessionFile.openToRead(path);
    for (const { tasksRun } of between) expect(file.readRestorePoint(tasksRun)).toMatchObject({ base: begin.offset, point: { tasksRun } });
    file.close();
    const damaged = join(folder, 'busy-damaged');
    const bytes = readFileSync(path);
    bytes.writeUInt8(0x7e, end.offset + 40);
    writeFileSync(damaged, bytes);
    const older = SessionFile.openToRead(damaged);
    for (const { tasksRun } of between) expect(older.readRestorePoint(tasksRun)?.point.tasksRun).toBe(tasksRun);
    expect(older.readRestorePoint((between[0] as CheckpointRecord).tasksRun)?.base).toBeLessThan(begin.offset);
    older.close();
    for (const [tasksRun, digest] of places) {
      if (tasksRun < (begin.record as CheckpointRecord).tasksRun || tasksRun > (between.at(-1) as CheckpointRecord).tasksRun + 500) continue;
      expect((await reached(path, tasksRun)).cluster.digest).toBe(digest);
      expect((await reached(damaged, tasksRun)).cluster.digest).toBe(digest);
    }
  });

  it('may be cut off by a kill at any write: the session goes on where it was', async () => {
    const base = interleaved(lines);
    const bytes = readFileSync(path);
    const random = new Random(3).stream('kills');
    const cuts = base.flatMap(({ offset, end }, at) => (at === 0 || at === base.length - 1 ? [offset, end - 1] : []));
    for (let i = 0; i < 3; i++) cuts.push((base[0] as Line).offset + random.integer((base.at(-1) as Line).end - (base[0] as Line).offset));
    for (const [round, cut] of cuts.entries()) {
      const copy = join(folder, `cut-${round}`);
      writeFileSync(copy, bytes.subarray(0, cut));
      const session = await openSession(copy);
      expect(session.resumed).toMatchObject({ notes: [], chain: { address: expect.any(Number) } });
      const place = session.cluster.loop.tasksRun;
      expect(session.cluster.digest).toBe(places.get(place) ?? session.cluster.digest);
      session.call('POST', configMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'after' } });
      await session.close();
      const again = await openSession(copy);
      expect(again.cluster.digest).toBe(session.cluster.digest);
      expect(again.cluster.save()).toEqual(session.cluster.save());
      again.kill();
      rmSync(copy);
    }
  });
});

it('what is saved beside an earlier state is the same as what is saved anew, and leaves the earlier one as it was', async () => {
  const session = await openSession(join(folder, 'beside'), { seed: 4, nodes: 4 });
  const { cluster } = session;
  session.call('POST', deployments, aDeployment('web', 20));
  let before: JsonValue | undefined;
  let text = '';
  let shared = 0;
  for (let round = 0; round < 8; round++) {
    if (round === 4) session.call('DELETE', `${deployments}/web`);
    await session.advance(700);
    await session.quiet();
    const state = cluster.saveState(before);
    expect(JSON.stringify(before) ?? '').toBe(text);
    expect(state).toEqual(cluster.saveState());
    if (before !== undefined) shared += sharedParts(before, state);
    before = state;
    text = JSON.stringify(state);
  }
  expect(shared).toBeGreaterThan(100);
  session.kill();
});

function sharedParts(a: JsonValue, b: JsonValue): number {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return 0;
  if (a === b) return 1;
  const [left, right] = [a, b] as unknown as [Record<string, JsonValue>, Record<string, JsonValue>];
  return Object.keys(right).reduce(
    (sum, name) => sum + (Object.hasOwn(left, name) ? sharedParts(left[name] as JsonValue, right[name] as JsonValue) : 0),
    0,
  );
}

describe('the bytes of a session', () => {
  let lines: readonly Line[];
  beforeAll(async () => {
    const path = join(folder, 'bytes');
    const session = await openedAtEvenPace(path, { seed: 1, nodes: 10, options: { 'kube-api-qps': '1000', 'kube-api-burst': '1000' } });
    // The first base is whole, so that points come from here on.
    await session.quiet();
    session.recorder.point();
    session.call('POST', deployments, aDeployment('web', 150));
    for (const endMs = session.cluster.loop.nowMs() + 12_000; session.cluster.loop.nowMs() < endMs; ) {
      await session.cluster.loop.run(Number.POSITIVE_INFINITY, session.cluster.loop.tasksRun + 50);
      session.recorder.commit();
    }
    await session.quiet();
    session.recorder.point();
    session.kill();
    vi.restoreAllMocks();
    lines = linesOf(path);
  });

  it('a changed object costs at most 300 bytes beyond its own delta, its share of the marks included', () => {
    const changes = lines.flatMap(({ offset, end, record }) => (record.t === 'change' ? [{ bytes: end - offset, record }] : []));
    const beyond = changes.map(({ bytes, record: { v, d = v } }) => bytes - (d === undefined ? 0 : Buffer.byteLength(JSON.stringify(d))));
    const marks = lines.reduce((sum, { offset, end, record: { t } }) => sum + (t === 'mark' ? end - offset : 0), 0);
    expect(changes.length).toBeGreaterThan(800);
    expect((beyond.reduce((sum, bytes) => sum + bytes, 0) + marks) / changes.length).toBeLessThanOrEqual(300);
    // Besides, only a long name or many causes make one cost more.
    for (const [index, { record }] of changes.entries())
      expect((beyond[index] as number) - record.k.length - JSON.stringify(record.why).length).toBeLessThan(170);
  });

  it('a restore point costs what has changed since the one before, also when a base became whole between them', () => {
    const points = lines.filter(({ record: { t } }) => t === 'checkpoint');
    expect(points.length).toBeGreaterThan(4);
    let tasks = (points[0]?.record as CheckpointRecord).tasksRun;
    for (const { offset, end, record } of points.slice(1)) {
      const ran = (record as CheckpointRecord).tasksRun - tasks;
      tasks += ran;
      expect(end - offset).toBeLessThanOrEqual(10_000 + 400 * ran);
    }
  });
});
