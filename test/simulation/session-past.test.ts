/** What was before the base of a session is read when somebody asks for it (SESSION-FILE.md F9), and nobody can tell. */
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SessionFile } from '../../engine/persistence/session-file.ts';
import { type OpenSession, openSession } from '../support/session.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'wavetank-past-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function aConfigMap(name: string, value: string): object {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { value } };
}

/** All that is remembered, as it is told to a watch from the visible floor. */
function told({ cluster: { store } }: OpenSession): readonly unknown[] {
  return store
    .changesBetween(store.compactedRevision(), store.currentRevision())
    .map(({ revision, key, current, previous, meta: { virtualMs, identity, causes } }) => [
      revision,
      key,
      current?.value,
      previous?.value,
      virtualMs,
      identity,
      causes,
    ]);
}

describe('a session with changes before its base', () => {
  let path: string;
  let session: OpenSession;
  let expected: readonly unknown[];
  beforeAll(async () => {
    path = join(folder, 'session');
    const first = await openSession(path, { seed: 2, nodes: 1 });
    for (const name of ['kept', 'gone', 'changed', 'reborn']) first.call('POST', configMaps, aConfigMap(name, 'one'));
    for (const name of ['changed', 'reborn']) first.call('PUT', `${configMaps}/${name}`, aConfigMap(name, 'two'));
    for (const name of ['gone', 'reborn']) first.call('DELETE', `${configMaps}/${name}`);
    first.kill();
    // Whoever goes on from the file's own lines, and not from a base, begins with one of all that.
    const lines = readFileSync(path, 'utf8').split('\n');
    writeFileSync(path, lines.filter((line) => !line.slice(9).startsWith('{"t":"based"')).join('\n'));
    session = await openSession(path);
    await session.quiet();
    session.recorder.point();
    for (const name of ['changed', 'kept']) session.call('PUT', `${configMaps}/${name}`, aConfigMap(name, 'three'));
    session.call('POST', configMaps, aConfigMap('reborn', 'three'));
    expected = told(session);
    session.kill();
  });

  /** As it was written: whoever opens a session goes on with it. */
  function copyOf(name: string): string {
    const copy = join(folder, name);
    copyFileSync(path, copy);
    return copy;
  }

  it('tells them all again, with values, writers and causes', async () => {
    const again = await openSession(copyOf('asked'));
    expect(again.cluster.digest).toBe(session.cluster.digest);
    expect(again.cluster.store.recall(0)).toBe(false);
    expect(told(again)).toEqual(expected);
    expect(again.cluster.store.recall(0)).toBe(true);
    again.kill();
  });

  it('does not read them for the present, nor when another change follows', async () => {
    const again = await openSession(copyOf('unasked'));
    expect(again.call('GET', `${configMaps}/changed`)).toMatchObject({ data: { value: 'three' } });
    again.call('PUT', `${configMaps}/changed`, aConfigMap('changed', 'four'));
    expect(again.cluster.store.recall(0)).toBe(false);
    expect(told(again).slice(0, expected.length)).toEqual(expected);
    again.kill();
  });

  it('stands on no base of which such a line is damaged, cut short or gone', async () => {
    const text = readFileSync(path, 'utf8');
    const lines = text.split('\n');
    const at = lines.findIndex((line) => line.slice(9).startsWith('{"t":"past"'));
    const past = lines[at] as string;
    const damages = [
      lines.with(at, past.replace('"k":"', '"k":"x')),
      lines.with(at, past.replace(past.slice(0, 8), '00000000')),
      lines.with(at, past.slice(0, 20)),
      lines.toSpliced(at, 1),
    ];
    for (const [index, damaged] of damages.entries()) {
      const copy = join(folder, `damaged-${index}`);
      writeFileSync(copy, damaged.join('\n'));
      const file = SessionFile.openToRead(copy);
      expect(file.readRestorePoint()).toBeUndefined();
      file.close();
    }
    const again = await openSession(join(folder, 'damaged-0'));
    expect(again.cluster.digest).toBe(session.cluster.digest);
    expect(again.resumed?.chain).toBeUndefined();
    again.kill();
  });
});
