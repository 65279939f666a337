/** What becomes of kubeconfigs that are the user's: files, links, locks, and kubectl itself beside us. */
import { execFile, execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { load } from 'js-yaml';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { linkTarget, replaceFile } from './files.ts';
import { type Keys, loadKeys } from './home.ts';
import { checkOverwritable, entriesOf, kubeconfigText, writeKubeconfig } from './kubeconfig.ts';
import { withKubeconfigLock } from './kubeconfig-lock.ts';
import { leaveKubeconfig, mergeKubeconfig } from './kubeconfig-merge.ts';

interface Config {
  readonly clusters: readonly { readonly name: string }[];
  readonly contexts: readonly { readonly name: string }[];
  readonly users: readonly { readonly name: string }[];
  readonly 'current-context': string;
}

const run = promisify(execFile);
const hasKubectl = await run('kubectl', ['version', '--client']).then(
  () => true,
  () => false,
);
if (!hasKubectl) console.log('skipped: kubectl beside a merge (kubectl is not on the path)');

const home = mkdtempSync(join(tmpdir(), 'wavetank-kubeconfig-'));
let keys: Keys;
let folder: string;
let file: string;
let count = 0;

beforeAll(() => {
  keys = loadKeys(join(home, 'home'));
});

beforeEach(() => {
  folder = join(home, String(++count));
  mkdirSync(folder);
  file = join(folder, 'config');
});

afterAll(() => rmSync(home, { recursive: true }));

const users = `# my clusters
apiVersion: v1
kind: Config
clusters:
- cluster:
    server: https://work.example # behind the VPN
    proxy-url: socks5://localhost:1080
  name: work
# people
users:
- name: me
  user:
    exec: {apiVersion: client.authentication.k8s.io/v1, command: login, interactiveMode: Never}
contexts:
- context: {cluster: work, user: me}
  name: work
current-context: work
x-mine: kept
`;

function merge(name = 'wavetank'): ReturnType<typeof mergeKubeconfig> {
  return mergeKubeconfig(file, entriesOf(name, 'https://127.0.0.1:6443', keys));
}

function read(): Config {
  return load(readFileSync(file, 'utf8')) as Config;
}

function names(list: 'clusters' | 'contexts' | 'users'): readonly string[] {
  return read()[list].map(({ name }) => name);
}

describe('a file that is to hold our cluster alone', () => {
  const far = (): string => kubeconfigText('wavetank', 'https://far.example', keys);
  it.each<[string, () => string, RegExp]>([
    ['has contexts of the user', () => users, /config holds entries that are not Wavetank's \(work, me\).*--merge-kubeconfig$/],
    ['has a cluster of our name that is not on this machine', far, /holds entries that are not Wavetank's \(wavetank\)/],
    ['is another YAML file', () => 'apiVersion: v1\nkind: Pod\n', /is not a kubeconfig; give another path/],
    ['is no YAML', () => '{', /is not a kubeconfig/],
  ])('is refused when it %s', (_name, text, words) => {
    writeFileSync(file, text());
    expect(() => checkOverwritable(file)).toThrow(words);
    expect(() => writeKubeconfig(file, 'wavetank', 'https://127.0.0.1:1', keys)).toThrow(words);
    expect(readFileSync(file, 'utf8')).toBe(text());
  });

  it.each<[string, (path: string) => void, RegExp]>([
    ['a pipe, which nobody may ever write to', (path) => void execFileSync('mkfifo', [path]), /is no ordinary file; give another path/],
    ['a folder', (path) => mkdirSync(path), /is a folder; give another path/],
  ])('is left alone, also through a link, when it is %s', async (_name, make, words) => {
    make(file);
    const link = `${file}-link`;
    symlinkSync(file, link);
    const before = lstatSync(file).ino;
    for (const path of [file, link]) {
      expect(() => checkOverwritable(path)).toThrow(words);
      expect(() => writeKubeconfig(path, 'wavetank', 'https://127.0.0.1:1', keys)).toThrow(words);
      expect(() => replaceFile(path, 'text')).toThrow(words);
      await expect(mergeKubeconfig(path, entriesOf('wavetank', 'https://127.0.0.1:1', keys))).rejects.toThrow(words);
    }
    expect(lstatSync(file).ino).toBe(before);
  });

  it('is written when it is new, empty, or holds clusters of ours, for its owner alone', () => {
    for (const name of ['one', 'two']) writeKubeconfig(file, name, 'https://127.0.0.1:1', keys);
    expect(names('contexts')).toEqual(['wavetank-two']);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    writeFileSync(file, '');
    writeKubeconfig(file, 'wavetank', 'https://127.0.0.1:1', keys);
    expect(read()['current-context']).toBe('wavetank');
  });
});

describe('merging into the user’s own file', () => {
  it('keeps comments, order, unknown fields and the form of the text', async () => {
    writeFileSync(file, users);
    const merged = await merge();
    expect(merged).toEqual({ file, previous: 'work' });
    const text = readFileSync(file, 'utf8');
    const before = users.split('\n').filter((line) => !line.startsWith('current-context'));
    // Every line of the user's is there, in its order.
    expect(text.split('\n').filter((line) => before.includes(line))).toEqual(expect.arrayContaining(before));
    expect([names('clusters'), names('users'), names('contexts')]).toEqual([
      ['work', 'wavetank'],
      ['me', 'wavetank'],
      ['work', 'wavetank'],
    ]);
    expect(read()['current-context']).toBe('wavetank');
  });

  it('writes JSON as JSON', async () => {
    writeFileSync(file, JSON.stringify(load(users)));
    await merge();
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ 'x-mine': 'kept', 'current-context': 'wavetank' });
  });

  it.each(['', '# nothing yet\n', 'apiVersion: v1\nkind: Config\nclusters: null\nusers: []\n'])('begins with %j', async (text) => {
    writeFileSync(file, text);
    expect(await merge()).toEqual({ file });
    expect(text.startsWith('#') ? readFileSync(file, 'utf8').startsWith('# nothing yet') : true).toBe(true);
    expect(names('contexts')).toEqual(['wavetank']);
  });

  it('makes the file and its folder when there are none', async () => {
    file = join(folder, 'new', 'config');
    await merge();
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(folder, 'new'))).toEqual(['config']);
  });

  it('writes to where a link leads, and the link stays one', async () => {
    const real = join(folder, 'real');
    writeFileSync(real, users, { mode: 0o640 });
    symlinkSync('real', file);
    await merge();
    expect(lstatSync(file).isSymbolicLink()).toBe(true);
    expect(readFileSync(real, 'utf8')).toContain('wavetank');
    expect(statSync(real).mode & 0o777).toBe(0o640);
    expect(linkTarget(file)).toBe(real);
  });

  it.each<[string, () => void, RegExp]>([
    ['is read-only', () => chmodSync(file, 0o444), /is read-only; make it writable/],
    ['has a list that is none', () => writeFileSync(file, 'apiVersion: v1\nclusters: {}\n'), /clusters is not a list/],
    ['is broken', () => writeFileSync(file, 'clusters: ['), /is not a kubeconfig .*; mend it/],
    ['has two documents', () => writeFileSync(file, 'a: 1\n---\nb: 1\n'), /it is not one YAML map/],
    [
      'is a link to itself',
      () => {
        rmSync(file);
        symlinkSync('config', file);
      },
      /leads in a circle/,
    ],
  ])('refuses a file that %s', async (_name, damage, words) => {
    writeFileSync(file, users);
    damage();
    const before = existsSync(file) ? readFileSync(file, 'utf8') : '';
    await expect(merge()).rejects.toThrow(words);
    expect(existsSync(file) ? readFileSync(file, 'utf8') : '').toBe(before);
    expect(readdirSync(folder)).toEqual(['config']);
  });

  it('follows no link that somebody laid where a temporary file might come', () => {
    const victim = join(folder, 'victim');
    writeFileSync(victim, 'precious');
    for (const name of [`config.${process.pid}.tmp`, '.config.tmp', 'config.tmp']) symlinkSync(victim, join(folder, name));
    replaceFile(file, 'text');
    expect([readFileSync(victim, 'utf8'), readFileSync(file, 'utf8')]).toEqual(['precious', 'text']);
  });

  it('waits while another program holds the lock, and merges what that wrote', async () => {
    writeFileSync(file, users);
    const lock = `${file}.lock`;
    writeFileSync(lock, '');
    const merging = merge();
    writeFileSync(file, users.replaceAll('work', 'other'));
    rmSync(lock);
    await merging;
    expect(names('contexts')).toEqual(['other', 'wavetank']);
    expect(existsSync(lock)).toBe(false);
  });

  it('looks again, and puts back what a program took out that had read the file before', async () => {
    writeFileSync(file, users);
    const merging = merge();
    while (!readFileSync(file, 'utf8').includes('name: wavetank')) await new Promise((resolve) => setImmediate(resolve));
    writeFileSync(file, users);
    await merging;
    expect([names('contexts'), read()['current-context']]).toEqual([['work', 'wavetank'], 'wavetank']);
  });

  it('holds the lock under both names of a linked file', async () => {
    const real = join(folder, 'real');
    writeFileSync(real, users);
    symlinkSync('real', file);
    expect(await withKubeconfigLock(file, () => readdirSync(folder))).toEqual(['config', 'config.lock', 'real', 'real.lock']);
  });
});

describe('a cluster that stops', () => {
  it('gives the current context back, and leaves a later choice alone', async () => {
    writeFileSync(file, users);
    const merged = await merge();
    await leaveKubeconfig('wavetank', merged);
    expect(read()['current-context']).toBe('work');
    await merge();
    writeFileSync(file, readFileSync(file, 'utf8').replace('current-context: wavetank', 'current-context: other'));
    await leaveKubeconfig('wavetank', merged);
    expect(read()['current-context']).toBe('other');
  });

  it('leaves no context current when the one before is gone', async () => {
    writeFileSync(file, users);
    await merge();
    await leaveKubeconfig('wavetank', { file, previous: 'gone' });
    expect(read()['current-context']).toBe('');
    rmSync(file);
    await leaveKubeconfig('wavetank', { file, previous: 'gone' });
    expect(existsSync(file)).toBe(false);
  });
});

it.skipIf(!hasKubectl)('beside kubectl that writes all the time nobody’s clusters vanish', async () => {
  writeFileSync(file, users);
  const kubectl = async (index: number): Promise<void> => {
    // kubectl gives up at once when we hold the lock; a person would press the arrow key.
    for (;;) {
      try {
        await run('kubectl', ['config', 'set-cluster', `theirs-${index}`, '--server', `https://theirs-${index}`, '--kubeconfig', file]);
        return;
      } catch (error) {
        if (!String((error as { stderr?: string }).stderr).includes('.lock')) throw error;
      }
    }
  };
  const theirs = (async () => {
    for (let index = 0; index < 12; index += 1) await kubectl(index);
  })();
  const ours = (async () => {
    for (const name of ['a', 'b', 'c']) await merge(name);
  })();
  await Promise.all([theirs, ours]);
  const expected = [...Array.from({ length: 12 }, (_value, index) => `theirs-${index}`), 'work'];
  // A kubectl that read the file before ours was in it takes ours out again: that is its race, looked for once above.
  expect([...names('clusters')].filter((name) => !name.startsWith('wavetank-')).sort()).toEqual(expected.sort());
  expect(names('contexts')).toContain('work');
});
