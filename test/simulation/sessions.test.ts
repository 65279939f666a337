/** Session files, by the rules of engine/persistence/SESSION-FILE.md: going on, reaching any place, damage, full disks, rivals. */
import {
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { crc32 } from 'node:zlib';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Random } from '../../engine/base/random.ts';
import { replaySession } from '../../engine/host/session-resume.ts';
import { configOf } from '../../engine/host/session.ts';
import { SessionFile } from '../../engine/persistence/session-file.ts';
import { aDeployment, madeCluster } from '../support/cluster.ts';
import { type OpenSession, openSession, reached } from '../support/session.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'wavetank-sessions-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const deployments = '/apis/apps/v1/namespaces/default/deployments';
const configMaps = '/api/v1/namespaces/default/configmaps';

function aConfigMap(name: string): object {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } };
}

/** Digests at places of a run, by tasks run. */
type Places = Map<number, string>;

/** A rollout, a scale-down, config maps, a failing job; notes a place now and then. */
async function use(session: OpenSession, rounds: number, places?: Places): Promise<void> {
  const { cluster, call, advance } = session;
  for (let round = 0; round < rounds; round++) {
    call('POST', configMaps, aConfigMap(`c-${cluster.loop.tasksRun}`));
    const web = `web-${session.door.inputs}`;
    if (round === 0) call('POST', deployments, aDeployment(web, 6));
    if (round === 2)
      call(
        'PATCH',
        `${deployments}/${cluster.stored('deployments/default').at(-1)?.metadata.name}/scale`,
        { spec: { replicas: 2 } },
        'application/merge-patch+json',
      );
    await advance(2_000 + 300 * round);
    session.recorder.commit();
    places?.set(cluster.loop.tasksRun, cluster.digest);
  }
}

/** A session that was killed after some use. */
async function aKilledSession(name: string, rounds = 4): Promise<{ readonly path: string; readonly digest: string; readonly inputs: number }> {
  const path = join(folder, name);
  const session = await openSession(path, { seed: 5 });
  await use(session, rounds);
  session.recorder.commit();
  session.kill();
  return { path, digest: session.cluster.digest, inputs: session.door.inputs };
}

describe('a session', () => {
  it('goes on after a kill at what was last shown, and after a clean stop (F9)', async () => {
    const { path, digest } = await aKilledSession('killed');
    const second = await openSession(path);
    expect(second.cluster.digest).toBe(digest);
    expect(second.resumed).toMatchObject({ notes: [], chain: { address: expect.any(Number) } });
    await use(second, 3);
    await second.close();
    const third = await openSession(path);
    expect(third.cluster.digest).toBe(second.cluster.digest);
    expect(third.cluster.history.slots.save()).toEqual(second.cluster.history.slots.save());
    expect(third.cluster.save()).toEqual(second.cluster.save());
    expect(third.cluster.store.livingWeight).toBe(second.cluster.store.livingWeight);
    third.kill();
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('reaches any place again (F9), and runs again as a whole (F14)', async () => {
    const path = join(folder, 'reached');
    const session = await openSession(path, { seed: 9 });
    const places: Places = new Map();
    await use(session, 6, places);
    await session.close();
    for (const [tasksRun, digest] of places) expect((await reached(path, tasksRun)).cluster.digest).toBe(digest);
    const file = SessionFile.openToRead(path);
    const again = madeCluster(configOf(file.head as never));
    expect(await replaySession(again.cluster, file)).toMatchObject({ equal: true, notes: [], inputs: session.door.inputs });
    file.close();
  });

  it('has restore points also while a base is written, and reads no further than to the place that is asked for (F8, F9)', async () => {
    const path = join(folder, 'between');
    const session = await openSession(path, { seed: 9 });
    session.recorder.point();
    const places: Places = new Map();
    for (let round = 0; round < 10; round++) {
      for (const part of ['a', 'b', 'c'])
        session.call('POST', configMaps, { ...aConfigMap(`${part}-${round}`), data: { big: 'x'.repeat(1_000_000) } });
      session.call('POST', deployments, aDeployment(`web-${round}`, 6));
      await session.advance(7_000);
      session.recorder.commit();
      places.set(session.cluster.loop.tasksRun, session.cluster.digest);
    }
    await session.close();
    const file = SessionFile.openToRead(path);
    const lines = [...file.lines()].flatMap(({ record }) => (record === undefined ? [] : [record]));
    const bases = lines.flatMap((record, at) => (record.t === 'base' ? [at] : []));
    const between = bases.flatMap((begin) => {
      const end = lines.findIndex((record, at) => at > begin && record.t === 'based');
      return lines.slice(begin, end).flatMap((record) => (record.t === 'checkpoint' ? [record] : []));
    });
    expect(between.length).toBeGreaterThan(0);
    for (const { tasksRun } of between) expect(file.readRestorePoint(tasksRun)?.point.tasksRun).toBe(tasksRun);
    file.close();
    for (const [tasksRun, digest] of places) expect((await reached(path, tasksRun)).cluster.digest).toBe(digest);
  });

  it('goes on from a base that was never finished, and from a head alone', async () => {
    const { path, digest } = await aKilledSession('unfinished', 1);
    const text = readFileSync(path, 'utf8').split('\n');
    const unfinished = text.filter((line) => !line.slice(9).startsWith('{"t":"based"'));
    writeFileSync(path, unfinished.join('\n'));
    const session = await openSession(path);
    expect(session.cluster.digest).toBe(digest);
    await session.close();
    const last = await openSession(path);
    expect(last.cluster.digest).toBe(session.cluster.digest);
    last.kill();
  });
});

it('a forwarded port that is open across a restore point answers in the replay as it did', async () => {
  const path = join(folder, 'ports');
  const session = await openSession(path, { seed: 3, nodes: 1 });
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web' }, spec: { containers: [{ name: 'c', image: 'nginx:1.27' }] } };
  session.call('POST', '/api/v1/namespaces/default/pods', pod);
  await session.advance(20_000);
  let answer = '';
  const sink = { onData: (data: Uint8Array) => void (answer += new TextDecoder().decode(data)), onError: () => undefined, onEnd: () => undefined };
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
  const connection = session.door.ports.open('default', 'web', 80, sink);
  connection.write(bytes('GET / HTTP/1.1\r\nHost: web\r\n'));
  const half = session.cluster.loop.tasksRun;
  await session.advance(10_000);
  await session.quiet();
  session.recorder.point();
  connection.write(bytes('\r\n'));
  expect(answer).toContain('200 OK');
  await session.advance(5000);
  session.recorder.commit();
  session.kill();
  const file = SessionFile.openToRead(path);
  const point = file.readRestorePoint();
  file.close();
  expect(point?.point.tasksRun).toBeGreaterThan(half);
  const again = await openSession(path);
  expect(again.cluster.digest).toBe(session.cluster.digest);
  again.kill();
});

it('a forwarded port leads to the pod that it was opened to, not to the next one of its name', async () => {
  const path = join(folder, 'port-of-old');
  const session = await openSession(path, { seed: 3, nodes: 1 });
  const pods = '/api/v1/namespaces/default/pods';
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web' }, spec: { containers: [{ name: 'c', image: 'nginx:1.27' }] } };
  session.call('POST', pods, pod);
  await session.advance(20_000);
  let heard = '';
  const sink = {
    onData: (data: Uint8Array) => void (heard += new TextDecoder().decode(data)),
    onError: () => undefined,
    onEnd: () => void (heard += 'end'),
  };
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
  const connection = session.door.ports.open('default', 'web', 80, sink);
  connection.write(bytes('GET / HTTP/1.1\r\nHost: web\r\n'));
  session.call('DELETE', `${pods}/web?gracePeriodSeconds=1`);
  await session.advance(5_000);
  session.call('POST', pods, pod);
  await session.advance(20_000);
  await session.quiet();
  session.recorder.point();
  connection.write(bytes('\r\n'));
  expect(heard).toBe('end');
  await session.advance(5_000);
  session.recorder.commit();
  session.kill();
  const again = await openSession(path);
  expect(again.cluster.digest).toBe(session.cluster.digest);
  again.kill();
});

describe('damage', () => {
  it('is never another history: whatever byte flips, the cluster goes on where it was, or says what is missing (F11, F12)', async () => {
    const { path, digest, inputs } = await aKilledSession('flipped');
    const whole = readFileSync(path);
    const random = new Random(3).stream('flips');
    const seen = { same: 0, cut: 0, refused: 0 };
    for (let round = 0; round < 12; round++) {
      const bytes = Buffer.from(whole);
      const at = round === 0 ? bytes.length - 30 : random.integer(bytes.length);
      bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << random.integer(8)), at);
      const copy = join(folder, `flipped-${round}`);
      writeFileSync(copy, bytes);
      const session = await openSession(copy).catch((error: Error) => error);
      if (session instanceof Error) {
        expect(session.message).toContain('is not a Wavetank session file');
        seen.refused++;
        continue;
      }
      const { notes } = session.resumed ?? { notes: [] };
      if (session.cluster.digest === digest) seen.same++;
      else {
        seen.cut++;
        expect(notes).toHaveLength(1);
        expect(session.door.inputs).toBeLessThanOrEqual(inputs);
      }
      session.call('POST', configMaps, aConfigMap('after'));
      await session.close();
      const again = await openSession(copy);
      expect(again.cluster.digest).toBe(session.cluster.digest);
      again.kill();
    }
    expect(seen.same).toBeGreaterThan(0);
  });

  it('of an input is told to whoever asks for what came after it, and to nobody else (F12)', async () => {
    const path = join(folder, 'reach-lost');
    const session = await openSession(path, { seed: 5 });
    const places: Places = new Map();
    await use(session, 4, places);
    session.kill();
    const lines = readFileSync(path, 'utf8').split('\n');
    const at = lines.findIndex((line) => line.includes('{"t":"input","input":4,'));
    const offset = Buffer.byteLength(lines.slice(0, at).join('\n')) + 1;
    const needed = lines.map((line) => (/^.{9}\{"t":"(checkpoint|based)"/.test(line) ? line.replace('{"t"', '{"u"') : line));
    needed[at] = (needed[at] as string).replace('configmaps', 'configmapz');
    writeFileSync(path, needed.join('\n'));
    const [[before, digest], [after]] = [...places].slice(0, 2) as [[number, string], [number, string]];
    expect((await reached(path, before)).cluster.digest).toBe(digest);
    await expect(reached(path, after)).rejects.toThrow(
      `${path} is damaged at byte ${offset}: what came after it, up to task ${after}, cannot be reached`,
    );
  });

  it('of an input keeps what followed beside the file (F12, F13)', async () => {
    const { path, digest, inputs } = await aKilledSession('lost');
    const lines = readFileSync(path, 'utf8').split('\n');
    const at = lines.findIndex((line) => line.includes('{"t":"input","input":4,'));
    const offset = Buffer.byteLength(lines.slice(0, at).join('\n')) + 1;
    // Without restore points after it the input is needed.
    const needed = lines.map((line, index) => (index >= at && /^.{9}\{"t":"(checkpoint|based)"/.test(line) ? line.replace('{"t"', '{"u"') : line));
    needed[at] = (needed[at] as string).replace('configmaps', 'configmapz');
    writeFileSync(path, needed.join('\n'));
    const session = await openSession(path);
    const kept = `${path}.after-damage-${offset}`;
    expect(session.resumed?.notes).toEqual([
      `${path} is damaged at byte ${offset} and an input is missing; history goes on from before it, and what followed (${inputs - 4} readable ${inputs === 5 ? 'input' : 'inputs'}) is kept in ${kept}`,
    ]);
    expect(session.door.inputs).toBe(3);
    expect(session.cluster.digest).not.toBe(digest);
    expect(readFileSync(kept).length).toBeGreaterThan(100);
    session.call('POST', configMaps, aConfigMap('new'));
    await session.close();
    const again = await openSession(path);
    expect(again.resumed?.notes).toEqual([]);
    expect(again.cluster.digest).toBe(session.cluster.digest);
    again.kill();
  });

  it('is told by the marks when the lines are whole but another history was run (F9)', async () => {
    const { path } = await aKilledSession('other', 2);
    const file = SessionFile.openToRead(path);
    const { head } = file;
    file.close();
    const other = madeCluster({ ...configOf(head as never), seed: 6 });
    const again = SessionFile.openToRead(path);
    const result = await replaySession(other.cluster, again);
    expect(result.equal).toBe(false);
    expect(result.notes[0]).toContain('runs differently from what it recorded at task');
    again.close();
  });

  it('of the last lines is dropped, to the last place (F10)', async () => {
    const { path, digest } = await aKilledSession('torn', 2);
    writeFileSync(path, Buffer.concat([readFileSync(path), Buffer.from('00000000 {"t":"change","r":99999999')]));
    const session = await openSession(path);
    expect(session.cluster.digest).toBe(digest);
    session.kill();
  });
});

describe('a disk that fails', () => {
  it('acknowledges nothing that it has not taken, and goes on when there is room again (F6)', async () => {
    const path = join(folder, 'full');
    let room = Number.POSITIVE_INFINITY;
    const { writeSync } = await import('node:fs');
    const session = await openSession(path, { seed: 2 }, (file, bytes, position) => {
      if (room === 0) throw Object.assign(new Error('full'), { code: 'ENOSPC' });
      // Short writes all along.
      const length = Math.min(bytes.length, 700, room);
      room -= length;
      return writeSync(file, bytes, 0, length, position);
    });
    session.call('POST', configMaps, aConfigMap('kept'));
    room = 90;
    expect(() => session.call('POST', configMaps, aConfigMap('refused'))).toThrow(`the session ${path}: no space is left on the device`);
    expect(() => session.call('POST', configMaps, aConfigMap('never-begun'))).toThrow('no space is left');
    const dead = join(folder, 'full-copy');
    copyFileSync(path, dead);
    room = Number.POSITIVE_INFINITY;
    session.call('POST', configMaps, aConfigMap('again'));
    session.kill();
    const names = (one: OpenSession): readonly string[] => one.cluster.stored('configmaps/default').map(({ metadata }) => metadata.name ?? '');
    const later = await openSession(path);
    expect(names(later)).toEqual(expect.arrayContaining(['kept', 'refused', 'again']));
    expect(names(later)).not.toContain('never-begun');
    expect(later.cluster.digest).toBe(session.cluster.digest);
    later.kill();
    const stopped = await openSession(dead);
    expect(names(stopped)).toContain('kept');
    expect(names(stopped)).not.toContain('again');
    stopped.kill();
  });

  it('ends a clean stop with an error', async () => {
    let isFull = false;
    const { writeSync } = await import('node:fs');
    const session = await openSession(join(folder, 'stop'), { seed: 2 }, (file, bytes, position) => {
      if (isFull) throw Object.assign(new Error('full'), { code: 'ENOSPC' });
      return writeSync(file, bytes, 0, bytes.length, position);
    });
    isFull = true;
    await expect(session.close()).rejects.toMatchObject({ exitCode: 74, message: expect.stringContaining('no space is left on the device') });
  });

  it('holds up a base that is being written: a cluster that is larger than what may wait outlives a full disk', async () => {
    const path = join(folder, 'full-base');
    const { writeSync } = await import('node:fs');
    const disk = { isFull: false, offered: 0 };
    const session = await openSession(path, { seed: 2 }, (file, bytes, position) => {
      disk.offered = bytes.length;
      if (disk.isFull) throw Object.assign(new Error('full'), { code: 'ENOSPC' });
      return writeSync(file, bytes, 0, bytes.length, position);
    });
    await session.quiet();
    session.recorder.point();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      for (let i = 0; i < 90; i++) {
        session.door.serveAtOnce(requestFor(configMaps, { ...aConfigMap(`big-${i}`), data: { big: 'x'.repeat(900_000) } }));
        session.recorder.commit();
      }
      await session.advance(60_000);
      session.recorder.commit();
      await session.quiet();
      disk.isFull = true;
      expect(() => session.call('POST', configMaps, aConfigMap('refused'))).toThrow('no space is left');
      // A base is due at that quiet instant; its objects have 90 MB.
      for (let slice = 0; slice < 1_000; slice++) vi.advanceTimersByTime(16);
      expect(() => session.recorder.commit()).toThrow('no space is left');
      expect(session.lost).toEqual([]);
      expect(disk.offered).toBeLessThan(64 << 20);
      disk.isFull = false;
      session.recorder.commit();
      for (let slice = 0; slice < 1_000; slice++) vi.advanceTimersByTime(16);
    } finally {
      vi.useRealTimers();
    }
    session.recorder.commit();
    expect(readFileSync(path).lastIndexOf('{"t":"based"')).toBeGreaterThan(90e6);
    session.call('POST', configMaps, aConfigMap('kept'));
    await session.close();
    const again = await openSession(path);
    expect(again.resumed).toMatchObject({ notes: [], chain: expect.anything() });
    expect(again.cluster.digest).toBe(session.cluster.digest);
    again.kill();
  });

  it('is handed a base at a clean stop in parts, however large the cluster is', async () => {
    const path = join(folder, 'large-stop');
    const { writeSync } = await import('node:fs');
    const disk = { largest: 0 };
    const session = await openSession(path, { seed: 2 }, (file, bytes, position) => {
      disk.largest = Math.max(disk.largest, bytes.length);
      return writeSync(file, bytes, 0, bytes.length, position);
    });
    await session.quiet();
    session.recorder.point();
    for (let i = 0; i < 30; i++) {
      session.door.serveAtOnce(requestFor(configMaps, { ...aConfigMap(`big-${i}`), data: { big: 'x'.repeat(900_000) } }));
      session.recorder.commit();
    }
    await session.close();
    expect(disk.largest).toBeLessThan(12 << 20);
    const again = await openSession(path);
    expect(again.cluster.digest).toBe(session.cluster.digest);
    again.kill();
  });

  it('does not let the process grow without end', async () => {
    let isFull = false;
    const { writeSync } = await import('node:fs');
    const session = await openSession(join(folder, 'grown'), { seed: 2 }, (file, bytes, position) => {
      if (isFull) throw Object.assign(new Error('full'), { code: 'ENOSPC' });
      return writeSync(file, bytes, 0, bytes.length, position);
    });
    isFull = true;
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'big' }, data: { big: 'x'.repeat(1_000_000) } };
    for (let i = 0; i < 40; i++) session.door.serveAtOnce({ ...requestFor(`${configMaps}`, { ...body, metadata: { name: `big-${i}` } }) });
    expect(() => session.recorder.commit()).toThrow('no space is left');
    expect(session.lost[0]).toMatchObject({ exitCode: 74 });
    session.kill();
  });
});

describe('two processes', () => {
  it('never have one session, whatever path leads to it (F7)', async () => {
    const { path } = await aKilledSession('held', 1);
    const session = await openSession(path);
    symlinkSync(path, join(folder, 'held-link'));
    linkSync(path, join(folder, 'held-hard'));
    for (const name of ['held', 'held-link', 'held-hard'])
      await expect(openSession(join(folder, name))).rejects.toThrow(`is the session of a running cluster (process ${process.pid})`);
    session.kill();
    const next = await openSession(join(folder, 'held-hard'));
    next.kill();
  });
});

function requestFor(path: string, body: object): Parameters<OpenSession['door']['serveAtOnce']>[0] {
  return {
    method: 'POST',
    path,
    query: '',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: new TextEncoder().encode(JSON.stringify(body)),
    identity: { name: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] } as never,
  };
}

/** The session as another build would have written it: `change` gets each line that names the build or has a digest. */
function rewritten(path: string, name: string, change: (body: string) => string): string {
  const lines = readFileSync(path, 'utf8').split('\n');
  const changed = lines.map((line) => {
    const body = change(line.slice(8));
    return body === line.slice(8) ? line : `${crc32(body).toString(16).padStart(8, '0')}${body}`;
  });
  const copy = join(folder, name);
  writeFileSync(copy, changed.join('\n'));
  return copy;
}

describe('another build', () => {
  const foreign = (body: string): string => body.replace(/"build":"[0-9a-f]+"/, '"build":"0123456789abcdef"');

  it('goes on where all went as recorded, says who wrote it, and stands on a base of its own', async () => {
    const { path, digest } = await aKilledSession('build');
    const copy = rewritten(path, 'build-copy', foreign);
    const session = await openSession(copy);
    expect(session.cluster.digest).toBe(digest);
    expect(session.resumed?.chain).toBeUndefined();
    expect(session.resumed?.notes).toEqual([
      expect.stringMatching(
        /was written by another build of this release \(0123456789abcdef, this is [0-9a-f]{16}\); the \d+ tasks after .* went as recorded/,
      ),
    ]);
    await use(session, 1);
    await session.close();
    const again = await openSession(copy);
    expect(again.resumed).toMatchObject({ notes: [], chain: expect.anything() });
    expect(again.cluster.digest).toBe(session.cluster.digest);
    again.kill();
  });

  it('is refused where it went another way, with the place and both builds', async () => {
    const { path } = await aKilledSession('build-other');
    const copy = rewritten(path, 'build-other-copy', (body) => foreign(body).replace(/^( \{"t":"mark".*"digest":")[0-9a-f]{4}/, '$1ffff'));
    await expect(openSession(copy)).rejects.toThrow(
      /runs differently from what it recorded at task \d+ \(2026-.*\): digest [0-9a-f]+ instead of ffff[0-9a-f]+; run it with the build that wrote it \(0123456789abcdef; this is [0-9a-f]{16}\)/,
    );
  });
});

describe('a restore point whose values are of other types', () => {
  const ofOtherTypes = (body: string): string =>
    body.includes('"t":"part","p":["state","components","scenarios","checkTimer"]')
      ? body.replace(/"v":\d+/, '"v":"later"')
      : body.replace(/"build":"[0-9a-f]+"/, '"build":"0123456789abcdef"');

  async function aStoppedSession(name: string): Promise<{ readonly path: string; readonly digest: string }> {
    const path = join(folder, name);
    const session = await openSession(path, { seed: 3, nodes: 1 });
    await session.quiet();
    session.recorder.point();
    session.call('POST', configMaps, aConfigMap('kept'));
    await session.close();
    return { path, digest: session.cluster.digest };
  }

  it('is passed over: all inputs are run again from the beginning, and the user is told', async () => {
    const { path, digest } = await aStoppedSession('foreign-whole');
    const copy = rewritten(path, 'foreign-whole-copy', ofOtherTypes);
    const session = await openSession(copy);
    expect(session.cluster.digest).toBe(digest);
    expect(session.resumed?.chain).toBeUndefined();
    expect(session.resumed?.notes).toEqual([
      expect.stringMatching(
        /\(0123456789abcdef, this is [0-9a-f]{16}\); it remembers other things, so all \d+ tasks were run again from the beginning, and went as recorded$/,
      ),
    ]);
    await use(session, 1);
    await session.close();
    const again = await openSession(copy);
    expect(again.resumed?.notes).toEqual([]);
    expect(again.cluster.digest).toBe(session.cluster.digest);
    again.kill();
  });

  it('is refused in one line where an input is missing, with the place and the build that wrote it', async () => {
    const { path: stopped } = await aStoppedSession('foreign');
    const path = rewritten(stopped, 'foreign-lost', ofOtherTypes);
    const lines = readFileSync(path, 'utf8').split('\n');
    writeFileSync(path, lines.map((line) => (line.includes('"t":"input","input":1,') ? line.replace('configmaps', 'configmapz') : line)).join('\n'));
    const before = readFileSync(path);
    await expect(openSession(path)).rejects.toThrow(
      /foreign-lost holds what this build \([0-9a-f]+\) does not understand at task \d+ \(2026-.*\): saved state: cluster\.components\.scenarios\.checkTimer is not a number: "later"; open it with the build that wrote it \([0-9a-f]+\)/,
    );
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it('is refused in one line where its inputs lead elsewhere too: what is not understood, where they part, and that the file is as it was', async () => {
    const { path: stopped } = await aStoppedSession('foreign-elsewhere');
    const elsewhere = (body: string): string => ofOtherTypes(body).replace(/^( \{"t":"mark".*"digest":")[0-9a-f]{4}/, '$1ffff');
    const path = rewritten(stopped, 'foreign-elsewhere-copy', elsewhere);
    const before = readFileSync(path);
    await expect(openSession(path)).rejects.toThrow(
      /does not understand at task \d+ .* is not a number: "later"; open it with the build that wrote it \([0-9a-f]+\); run again from the beginning its inputs lead elsewhere \(at task \d+ \(2026-.*\) digest [0-9a-f]+ instead of ffff[0-9a-f]+\)\. The file is as it was$/,
    );
    expect(readFileSync(path).equals(before)).toBe(true);
  });
});

it('leaves files of a former format to the release that wrote them', async () => {
  const path = join(folder, 'format-1');
  writeFileSync(path, '{"type":"wavetank-session","format":1,"engine":"0.1.0"}\n');
  await expect(openSession(path)).rejects.toThrow('has session format 1, this engine reads 5');
  chmodSync(path, 0o600);
  expect(existsSync(path)).toBe(true);
  expect(readdirSync(folder).length).toBeGreaterThan(0);
});
