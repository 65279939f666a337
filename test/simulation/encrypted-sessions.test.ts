/** Sessions whose file does not show what an EncryptionConfiguration covers. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Secret } from '../../engine/api/core/v1/types.gen.ts';
import { readEncryption } from '../../engine/host/encryption/configuration.ts';
import { ChangingSeals } from '../../engine/host/encryption/changing-seals.ts';
import { createSeals } from '../../engine/host/encryption/seals.ts';
import type { LineSeals } from '../../engine/persistence/sealed-lines.ts';
import { openSession, reached } from '../support/session.ts';

let folder = '';
let path = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'encrypted-'));
  path = join(folder, 's');
});
afterEach(() => rmSync(folder, { recursive: true }));

const keyOf = (letter: string, length = 32): string => Buffer.alloc(length, letter).toString('base64');
type Provider = { readonly [algorithm: string]: { readonly keys?: readonly { readonly name: string; readonly secret: string }[] } };
const provider = (algorithm: string, name = 'k1', letter = 'a', length = 32): Provider => ({
  [algorithm]: { keys: [{ name, secret: keyOf(letter, length) }] },
});
const identity: Provider = { identity: {} };

function sealsOf(resources: readonly string[], ...providers: readonly Provider[]): LineSeals {
  const document = { apiVersion: 'apiserver.config.k8s.io/v1', kind: 'EncryptionConfiguration', resources: [{ resources, providers }] };
  return createSeals(readEncryption(JSON.stringify(document), 'file'));
}

const secrets = '/api/v1/namespaces/default/secrets';
const word = 'geheimnis';
const asStored = Buffer.from(word).toString('base64');

async function written(
  seals: LineSeals | undefined,
  more: (session: Awaited<ReturnType<typeof openSession>>) => void = () => undefined,
): Promise<string> {
  const session = await openSession(path, { nodes: 1 }, undefined, {}, undefined, undefined, seals);
  session.call('POST', secrets, { metadata: { name: 's' }, stringData: { password: word } });
  session.call('PATCH', `${secrets}/s`, { stringData: { other: `${word}2` } }, 'application/merge-patch+json');
  session.call('POST', '/api/v1/namespaces/default/configmaps', { metadata: { name: 'c' }, data: { open: 'offenbar' } });
  await session.advance(10_000);
  more(session);
  const { digest } = session.cluster;
  await session.close();
  return digest;
}

function holds(text: string): boolean {
  return readFileSync(path, 'latin1').includes(text);
}

async function passwordIn(seals: LineSeals | undefined): Promise<string | undefined> {
  const session = await openSession(path, {}, undefined, {}, undefined, undefined, seals);
  const { data } = session.call<Secret>('GET', `${secrets}/s`);
  await session.close();
  return data?.['password'] as string | undefined;
}

describe('an encrypted session', () => {
  it.each([
    ['aescbc', 32],
    ['aescbc', 16],
    ['aesgcm', 24],
    ['secretbox', 32],
  ])('by %s with %i bytes shows nothing of a Secret, and is gone on with', async (algorithm, length) => {
    const seals = sealsOf(['secrets'], provider(algorithm, 'k1', 'a', length), identity);
    await written(seals);
    expect([holds(word), holds(asStored), holds('offenbar')]).toEqual([false, false, true]);
    expect(holds(`k8s:enc:${algorithm}:v1:k1:`)).toBe(true);
    expect(await passwordIn(seals)).toBe(asStored);
    expect(holds(asStored)).toBe(false);
  });

  it('is refused without its key, with another one of that name, and with one of another name; nothing is lost', async () => {
    await written(sealsOf(['secrets'], provider('aescbc')));
    const before = readFileSync(path);
    await expect(passwordIn(undefined)).rejects.toThrow('holds sealed lines (k8s:enc:aescbc:v1:k1); give --encryption-provider-config with that key');
    await expect(passwordIn(sealsOf(['secrets'], provider('aescbc', 'k2', 'b')))).rejects.toThrow(
      'holds lines that are sealed by k8s:enc:aescbc:v1:k1',
    );
    await expect(passwordIn(sealsOf(['secrets'], provider('aescbc', 'k1', 'b')))).rejects.toThrow('does not open');
    await expect(passwordIn(sealsOf(['secrets'], provider('aesgcm')))).rejects.toThrow('k8s:enc:aescbc:v1:k1');
    expect(readFileSync(path).equals(before)).toBe(true);
    expect(await passwordIn(sealsOf(['secrets'], provider('aescbc')))).toBe(asStored);
  });

  it('changes its key: the first one seals, all of them open', async () => {
    await written(sealsOf(['secrets'], provider('aescbc', 'old')));
    const both = sealsOf(['secrets'], provider('secretbox', 'new', 'b'), provider('aescbc', 'old'));
    expect(await passwordIn(both)).toBe(asStored);
    expect(holds('k8s:enc:secretbox:v1:new:')).toBe(true);
  });

  it('may have begun open, and be open again', async () => {
    await written(undefined);
    expect(holds(asStored)).toBe(true);
    expect(await passwordIn(sealsOf(['secrets'], provider('aesgcm')))).toBe(asStored);
    expect(await passwordIn(sealsOf(['secrets'], identity, provider('aesgcm')))).toBe(asStored);
  });

  it('covers all resources of a group, custom ones and all of all', async () => {
    await written(sealsOf(['*.'], provider('aesgcm')));
    expect(holds('offenbar')).toBe(false);
    rmSync(path);
    await written(sealsOf(['*.*'], provider('aesgcm')));
    expect([holds('offenbar'), holds('clusterroles')]).toEqual([false, false]);
    rmSync(path);
    await written(sealsOf(['configmaps'], provider('aesgcm')));
    expect([holds('offenbar'), holds(asStored)]).toEqual([false, true]);
  });

  it('is run again as it was, when the process was killed', async () => {
    const seals = sealsOf(['secrets'], provider('aescbc'));
    const session = await openSession(path, { nodes: 1 }, undefined, {}, undefined, undefined, seals);
    session.call('POST', secrets, { metadata: { name: 's' }, stringData: { password: word } });
    const { digest, loop } = session.cluster;
    const at = loop.tasksRun;
    session.kill();
    const again = await reached(path, at, seals);
    expect(again.cluster.digest).toBe(digest);
    expect(await passwordIn(seals)).toBe(asStored);
  });
});

describe('a configuration that changes', () => {
  it('counts from the next look on; a wrong one changes nothing and is told once', () => {
    const said: string[] = [];
    let text = 'a';
    const seals = new ChangingSeals({
      read: () => text,
      make: (content) => {
        if (content === 'bad') throw new Error('bad file');
        return { seal: () => content, open: () => Buffer.alloc(0) };
      },
      say: (line) => said.push(line),
    });
    const seen: (string | undefined)[] = [];
    seals.onChanged((now) => seen.push(now.seal(Buffer.alloc(0), undefined)));
    for (const next of ['a', 'bad', 'bad', 'b']) {
      text = next;
      seals.reload();
    }
    expect(seen).toEqual(['b']);
    expect(said).toEqual(['the encryption configuration stays as it was: bad file']);
  });
});
