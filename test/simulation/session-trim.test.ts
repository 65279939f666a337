/** A session that has grown too long loses its beginning and nothing else (SESSION-FILE.md F15). */
import { copyFileSync, existsSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { configOf } from '../../engine/host/session.ts';
import { replaySession } from '../../engine/host/session-resume.ts';
import { SessionFile } from '../../engine/persistence/session-file.ts';
import { madeCluster } from '../support/cluster.ts';
import { type OpenSession, openSession, reached } from '../support/session.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const megabyte = 1_000_000;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'wavetank-trim-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const open = (path: string): Promise<OpenSession> => openSession(path, { seed: 6, nodes: 1 }, undefined, {}, 4 * megabyte);

/** Writes so many megabytes, with a restore point after each. */
async function write(session: OpenSession, rounds: number, places: Map<number, string>): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    const name = `big-${round % 2}`;
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { big: `${session.door.inputs}`.padEnd(megabyte - 1000, 'x') } };
    if (session.cluster.stored('configmaps/default').some(({ metadata }) => metadata.name === name))
      session.call('PUT', `${configMaps}/${name}`, body);
    else session.call('POST', configMaps, body);
    await session.advance(200_000);
    session.recorder.commit();
    places.set(session.cluster.loop.tasksRun, session.cluster.digest);
    await session.quiet();
    session.recorder.point();
  }
}

async function replayed(path: string): Promise<Awaited<ReturnType<typeof replaySession>>> {
  const file = SessionFile.openToRead(path);
  const result = await replaySession(madeCluster(configOf(file.head as never)).cluster, file);
  file.close();
  return result;
}

it('goes on, is reached from its new beginning on, and replays from there; killed at any moment it is the old file or the new one', async () => {
  const path = join(folder, 'busy');
  const link = join(folder, 'link');
  writeFileSync(path, '');
  symlinkSync(path, link);
  const session = await open(link);
  const places = new Map<number, string>();
  await write(session, 40, places);
  // 40 MB were written; ticks trim all along.
  expect(statSync(path).size).toBeLessThan(25 * megabyte);
  for (let round = 0; round < 40 && !existsSync(`${path}.trimming`); round++) {
    await write(session, 1, places);
    session.recorder.commit();
    session.recorder.trim(1);
  }
  expect(existsSync(`${path}.trimming`)).toBe(true);
  const before = statSync(path);
  const killed = join(folder, 'killed');
  copyFileSync(path, killed);
  copyFileSync(`${path}.trimming`, `${killed}.trimming`);
  for (let tick = 0; tick < 1000 && existsSync(`${path}.trimming`); tick++) session.recorder.trim(megabyte);
  const after = statSync(path);
  expect(after.ino).not.toBe(before.ino);
  expect(after.size).toBeLessThan(before.size * 0.6);
  expect(after.mode & 0o777).toBe(0o600);
  await expect(open(path)).rejects.toThrow('is the session of a running cluster');
  await write(session, 3, places);
  session.recorder.commit();
  session.kill();

  for (const one of [path, killed]) {
    const copy = `${one}-copy`;
    copyFileSync(one, copy);
    if (existsSync(`${one}.trimming`)) copyFileSync(`${one}.trimming`, `${copy}.trimming`);
    const again = await open(copy);
    expect(existsSync(`${copy}.trimming`)).toBe(false);
    if (one === path) expect(again.cluster.digest).toBe(session.cluster.digest);
    await write(again, 2, new Map());
    await again.close();
    const last = await open(copy);
    expect(last.cluster.digest).toBe(again.cluster.digest);
    last.kill();
  }

  const head = SessionFile.openToRead(path);
  const trimmed = head.head?.trimmed;
  head.close();
  expect(trimmed?.tasksRun).toBeGreaterThan(0);
  const result = await replayed(path);
  expect(result).toMatchObject({ equal: true, digest: session.cluster.digest });
  expect(result.notes[0]).toContain('was trimmed: it was run again from task');
  for (const [tasksRun, digest] of places) {
    if (tasksRun < (trimmed?.tasksRun ?? 0)) await expect(reached(path, tasksRun)).rejects.toThrow('was trimmed and begins at task');
    else expect((await reached(path, tasksRun)).cluster.digest).toBe(digest);
  }
}, 120_000);
