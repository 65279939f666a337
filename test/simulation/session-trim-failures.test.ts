/** Trimming a session on a file system that refuses, fills up, or is left at any step (SESSION-FILE.md F15): nothing is lost. */
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import type * as fsModule from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { configOf } from '../../engine/host/session.ts';
import { replaySession } from '../../engine/host/session-resume.ts';
import { SessionFile } from '../../engine/persistence/session-file.ts';
import { madeCluster } from '../support/cluster.ts';
import { type OpenSession, openSession } from '../support/session.ts';

type Fs = typeof fsModule;
/** What is done to a file that is being trimmed, or to its folder. */
type Step = 'open' | 'truncate' | 'write' | 'sync' | 'rename' | 'remove' | 'open folder';

/** Stands between the engine and the file system: hears of each step before it is done, and may refuse it. */
const layer = vi.hoisted(() => ({
  before: undefined as ((step: Step) => void) | undefined,
  /** So many bytes at most are taken by a write. */
  bytesMax: Number.POSITIVE_INFINITY,
  /** Runs after a file was opened, once. */
  opened: undefined as ((path: string) => void) | undefined,
  trimming: new Set<number>(),
}));

vi.mock('node:fs', async (original) => {
  const real = await original<Fs>();
  const isTrimming = (path: unknown): boolean => String(path).endsWith('.trimming');
  const when = (file: unknown, step: Step): void => {
    if (layer.trimming.has(file as number)) layer.before?.(step);
  };
  const openSync = (path: string, flags: string | number, mode?: number): number => {
    if (isTrimming(path) && flags !== 'r') layer.before?.('open');
    if (flags === 'r' && statSync(path).isDirectory()) layer.before?.('open folder');
    const file = real.openSync(path, flags, mode);
    if (isTrimming(path)) layer.trimming.add(file);
    else layer.trimming.delete(file);
    layer.opened?.(path);
    return file;
  };
  const writeSync = (file: number, bytes: Buffer, from?: number, length?: number, position?: number | null): number => {
    when(file, 'write');
    const wanted = length ?? bytes.length - (from ?? 0);
    return real.writeSync(file, bytes, from, layer.trimming.has(file) ? Math.min(wanted, layer.bytesMax) : wanted, position);
  };
  const faked = {
    ...real,
    openSync,
    writeSync,
    ftruncateSync: (file: number, length: number): void => {
      when(file, 'truncate');
      real.ftruncateSync(file, length);
    },
    fsyncSync: (file: number): void => {
      when(file, 'sync');
      real.fsyncSync(file);
    },
    renameSync: (from: string, to: string): void => {
      if (isTrimming(from)) layer.before?.('rename');
      real.renameSync(from, to);
    },
    rmSync: (path: string, options?: object): void => {
      if (isTrimming(path)) layer.before?.('remove');
      real.rmSync(path, options);
    },
  };
  return { ...faked, default: faked };
});

const configMaps = '/api/v1/namespaces/default/configmaps';
const kilobytes = 1_000;
const bytesMax = 1_000 * kilobytes;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'wavetank-trim-failures-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(() => {
  layer.before = undefined;
  layer.opened = undefined;
  layer.bytesMax = Number.POSITIVE_INFINITY;
});

function failing(code: string): Error {
  return Object.assign(new Error(`${code}: refused`), { code });
}

/** A session that is to be trimmed at once, in a folder of its own; its timer never ticks. */
async function longSession(name: string): Promise<{ readonly path: string; readonly session: OpenSession; readonly notes: string[] }> {
  const own = join(folder, name);
  mkdirSync(own);
  const path = join(own, 'session');
  vi.useFakeTimers({ toFake: ['setInterval'] });
  const notes: string[] = [];
  const session = await openSession(path, { seed: 6, nodes: 1 }, undefined, {}, bytesMax, (line) => notes.push(line));
  vi.useRealTimers();
  await write(session, 12);
  return { path, session, notes };
}

/** So many objects that come and go, with a restore point after each; a base comes of every few. */
async function write(session: OpenSession, rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    const name = `big-${session.door.inputs}`;
    const data = { big: name.padEnd(900 * kilobytes, 'x') };
    session.call('POST', configMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data });
    session.call('DELETE', `${configMaps}/${name}`);
    await session.advance(400_000);
    session.recorder.commit();
    await session.quiet();
    session.recorder.point();
  }
  session.recorder.commit();
}

/** Trims until there is nothing to do, or it was given up. */
function trim(session: OpenSession): void {
  for (let tick = 0; tick < 100; tick++) session.recorder.trim(4_000 * kilobytes);
}

/** It goes on from there: the same instant, further work, and a replay that agrees. */
async function expectUsable(path: string, session: OpenSession): Promise<void> {
  const again = await openSession(path);
  expect(again.cluster.digest).toBe(session.cluster.digest);
  expect(again.resumed?.notes).toEqual([]);
  expect(existsSync(`${path}.trimming`)).toBe(false);
  await again.advance(60_000);
  await again.close();
  const file = SessionFile.openToRead(path);
  const replayed = await replaySession(madeCluster(configOf(file.head as never)).cluster, file);
  file.close();
  expect(replayed).toMatchObject({ equal: true, digest: again.cluster.digest });
}

describe('a disk that is full', () => {
  it('leaves the whole file in force at whichever write it is; the next base is tried again', async () => {
    const { path, session, notes } = await longSession('full');
    for (let failed = 0; failed < 4; failed++) {
      const before = readFileSync(path);
      let writes = 0;
      layer.before = (step) => {
        if (step === 'write' && writes++ === failed) throw failing('ENOSPC');
      };
      trim(session);
      expect(writes).toBe(failed + 1);
      expect(notes).toEqual(Array.from({ length: failed + 1 }, () => `trimming the session ${path}: ENOSPC: refused`));
      expect(readFileSync(path).equals(before)).toBe(true);
      expect(existsSync(`${path}.trimming`)).toBe(false);
      await write(session, 12);
    }
    layer.before = undefined;
    const { size } = statSync(path);
    trim(session);
    expect(notes).toHaveLength(4);
    expect(statSync(path).size).toBeLessThan(size * 0.6);
    session.kill();
    await expectUsable(path, session);
  });

  it('or takes a few bytes at a time: the copy is whole', async () => {
    const { path, session, notes } = await longSession('short');
    const size = statSync(path).size;
    // Of the head only the beginning.
    layer.bytesMax = 10;
    layer.before = (step) => {
      if (step === 'write' && layer.bytesMax++ > 10) layer.bytesMax = 100 * kilobytes + 7;
    };
    trim(session);
    expect(notes).toEqual([]);
    expect(statSync(path).size).toBeLessThan(size * 0.6);
    session.kill();
    await expectUsable(path, session);
  });
});

it('killed before any step, the old file or the new one is whole and in force', async () => {
  const { path, session } = await longSession('killed');
  const before = statSync(path).size;
  const left: { readonly step: Step; readonly path: string }[] = [];
  const snapshot = (step: Step): void => {
    const to = join(dirname(path), `at-${left.length}`);
    copyFileSync(path, to);
    if (existsSync(`${path}.trimming`)) copyFileSync(`${path}.trimming`, `${to}.trimming`);
    left.push({ step, path: to });
  };
  layer.before = snapshot;
  trim(session);
  layer.before = undefined;
  expect(new Set(left.map(({ step }) => step))).toEqual(new Set(['open', 'truncate', 'write', 'sync', 'rename', 'open folder']));
  for (const { step, path: one } of left) {
    // The folder is made durable when the name is taken.
    expect([step, statSync(one).size < before]).toEqual([step, step === 'open folder']);
    const again = await openSession(one);
    expect(again.cluster.digest).toBe(session.cluster.digest);
    expect(existsSync(`${one}.trimming`)).toBe(false);
    again.kill();
  }
  session.kill();
  await expectUsable(path, session);
  await expectUsable((left[2] as { path: string }).path, session);
});

describe('a folder or a system that refuses', () => {
  it.each<[string, Step, string]>([
    ['a folder that is read-only', 'open', 'EROFS'],
    ['a folder of somebody else', 'open', 'EACCES'],
    ['a name that is held open, as on Windows', 'rename', 'EPERM'],
    ['a name that a scanner holds', 'rename', 'EBUSY'],
    ['a disk that cannot make it durable', 'sync', 'EIO'],
  ])(
    '%s leaves the whole file in force, and says so once',
    async (_what, refused, code) => {
      const { path, session, notes } = await longSession(`${refused}-${code}`);
      const before = readFileSync(path);
      layer.before = (step) => {
        if (step === refused) throw failing(code);
      };
      trim(session);
      expect(notes).toEqual([`trimming the session ${path}: ${code}: refused`]);
      expect(readFileSync(path).equals(before)).toBe(true);
      session.call('POST', configMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'later' } });
      session.kill();
      layer.before = undefined;
      await expectUsable(path, session);
    },
    60_000,
  );

  it('and will not remove the copy either: the session goes on, and opens beside what is left', async () => {
    const { path, session, notes } = await longSession('stuck');
    layer.before = (step) => {
      if (step === 'rename' || step === 'remove') throw failing('EBUSY');
    };
    trim(session);
    expect(notes).toEqual([`trimming the session ${path}: EBUSY: refused`]);
    expect(existsSync(`${path}.trimming`)).toBe(true);
    session.kill();
    const again = await openSession(path);
    expect(again.cluster.digest).toBe(session.cluster.digest);
    again.kill();
    layer.before = undefined;
    await expectUsable(path, session);
  });

  it('leaves alone what it has not made', async () => {
    const { path, session } = await longSession('foreign');
    session.kill();
    writeFileSync(`${path}.trimming`, 'letters to a friend\n');
    (await openSession(path)).kill();
    expect(readFileSync(`${path}.trimming`, 'utf8')).toBe('letters to a friend\n');
  });

  it('that cannot make the name durable says so, and goes on in the new file', async () => {
    const { path, session, notes } = await longSession('folder');
    const before = statSync(path).size;
    layer.before = (step) => {
      if (step === 'open folder') throw failing('EACCES');
    };
    trim(session);
    expect(notes).toEqual([`trimming the session ${path}: EACCES: refused`]);
    expect(statSync(path).size).toBeLessThan(before * 0.6);
    session.call('POST', configMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'later' } });
    session.kill();
    layer.before = undefined;
    await expectUsable(path, session);
  });
});

it('who opens the file while it takes its new name is told that it runs, whether before or after', async () => {
  const { path, session } = await longSession('race');
  let opened = 0;
  layer.opened = (at) => {
    if (at !== path || opened++ > 0) return;
    // The second process has the old file open and no lock yet.
    trim(session);
  };
  const before = statSync(path).ino;
  await expect(openSession(path)).rejects.toThrow('is the session of a running cluster');
  layer.opened = undefined;
  expect(statSync(path).ino).not.toBe(before);
  // Once after the old file, once after the new one.
  expect(opened).toBeGreaterThan(1);
  session.call('POST', configMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'later' } });
  session.kill();
  await expectUsable(path, session);
});

it('a file that became shorter under its hands is not taken for a whole copy', async () => {
  const { path, session, notes } = await longSession('shorter');
  let cut = false;
  layer.before = (step) => {
    if (step !== 'write' || cut) return;
    cut = true;
    writeFileSync(path, readFileSync(path).subarray(0, statSync(path).size - 500 * kilobytes));
  };
  trim(session);
  expect(notes[0]).toMatch(/^trimming the session .*: the file ends at \d+ and not at \d+$/);
  expect(existsSync(`${path}.trimming`)).toBe(false);
  session.kill();
});
