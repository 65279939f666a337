/** Every mark of a session is compared when it is run again (SESSION-FILE.md F9): digest, revision, time, and the number of inputs. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { replaySession, type ReplayResult } from '../../engine/host/session-resume.ts';
import { configOf } from '../../engine/host/session.ts';
import { decodeLine, encodeLine } from '../../engine/persistence/log-line.ts';
import { SessionFile } from '../../engine/persistence/session-file.ts';
import type { Mark } from '../../engine/persistence/session-records.ts';
import { madeCluster } from '../support/cluster.ts';
import { openSession } from '../support/session.ts';

let folder: string;
let path: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'wavetank-marks-'));
  path = join(folder, 'session');
  const session = await openSession(path, { seed: 5, nodes: 1 });
  for (let round = 0; round < 3; round++) {
    session.call('POST', '/api/v1/namespaces/default/configmaps', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `c-${round}` } });
    await session.advance(2_000);
    session.recorder.commit();
  }
  session.kill();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The session with its last mark changed, each line whole. */
async function replayedWith(change: (mark: Mark) => Partial<Mark>): Promise<ReplayResult> {
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
  const records = lines.map((line) => decodeLine(Buffer.from(line)));
  const at = records.findLastIndex((record) => record?.t === 'mark');
  const mark = records[at] as unknown as Mark;
  const copy = join(folder, 'changed');
  writeFileSync(
    copy,
    Buffer.concat(lines.map((line, index) => (index === at ? encodeLine({ ...mark, ...change(mark) } as never) : Buffer.from(`${line}\n`)))),
  );
  const file = SessionFile.openToRead(copy);
  try {
    return await replaySession(madeCluster(configOf(file.head as never)).cluster, file);
  } finally {
    file.close();
  }
}

it('is equal when nothing was changed', async () => {
  expect(await replayedWith(() => ({}))).toMatchObject({ equal: true, notes: [] });
});

it.each<[string, (mark: Mark) => Partial<Mark>, string]>([
  ['digest', ({ digest }) => ({ digest: `${digest.slice(0, -1)}${digest.endsWith('0') ? '1' : '0'}` }), 'digest '],
  ['revision', ({ revision }) => ({ revision: revision + 1 }), 'revision '],
  ['time that has passed', ({ nowMs }) => ({ nowMs: nowMs - 600_000 }), 'time is not the same'],
  ['time behind what is due next', ({ nowMs }) => ({ nowMs: nowMs + 3_600_000 }), 'time is not the same'],
])('differs by its %s', async (_name, change, what) => {
  const { equal, notes } = await replayedWith(change);
  expect(equal).toBe(false);
  expect(notes).toEqual([expect.stringContaining(what)]);
});
