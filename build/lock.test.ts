/** One lock for every platform, and nothing committed that names the registry of somebody's machine. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

interface Entry {
  readonly version?: string;
  readonly resolved?: string;
  readonly optional?: boolean;
  readonly dev?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
}

interface Lock {
  readonly packages: Readonly<Record<string, Entry>>;
}

interface Tools {
  completed(lock: Lock): Lock;
  problemsOf(lock: Lock, manifest: unknown): readonly string[];
}

const root = join(import.meta.dirname, '..');
const { completed, problemsOf } = (await import(join(root, 'build', 'lock.mjs'))) as Tools;
const { isInstalled } = (await import(join(root, 'build', 'node-release.mjs'))) as { isInstalled(folder: string): boolean };
const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lock;
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Readonly<Record<string, Readonly<Record<string, string>>>>;

describe('package-lock.json', () => {
  it('fits package.json, names no registry, and has what every platform needs (node build/lock.mjs)', () => {
    expect(problemsOf(lock, manifest)).toEqual([]);
  });

  it('is refused when it names a registry, lacks a platform or is older than package.json', () => {
    const bad: Lock = {
      packages: {
        '': { dependencies: { a: '1.0.0' } },
        'node_modules/a': { version: '1.0.0', resolved: 'https://somewhere/a.tgz', optionalDependencies: { 'a-linux-x64': '1.0.0' } },
      },
    };
    expect(problemsOf(bad, { dependencies: { a: '1.0.1' } })).toEqual([
      'a differs from package.json',
      'node_modules/a names a registry',
      'a-linux-x64, which node_modules/a may need, is absent',
    ]);
  });

  it('gets the platforms that a registry lacks from the packages that pin them', () => {
    const parent: Entry = { version: '2.0.0', dev: true, optionalDependencies: { '@a/x-win32-arm64-msvc': '2.0.0', '@a/x-linux-x64-musl': '2.0.0' } };
    expect(completed({ packages: { '': {}, 'node_modules/@a/x': parent } }).packages).toEqual({
      '': {},
      'node_modules/@a/x': parent,
      'node_modules/@a/x-linux-x64-musl': { version: '2.0.0', cpu: ['x64'], libc: ['musl'], os: ['linux'], dev: true, optional: true },
      'node_modules/@a/x-win32-arm64-msvc': { version: '2.0.0', cpu: ['arm64'], os: ['win32'], dev: true, optional: true },
    });
    const loose = { packages: { 'node_modules/a': { optionalDependencies: { 'a-linux-x64': '^1.0.0' } } } };
    expect(() => completed(loose)).toThrow('does not pin a-linux-x64 exactly');
  });

  it('pins every direct dependency exactly', () => {
    const direct = ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap((kind) => Object.entries(manifest[kind] ?? {}));
    expect(direct.filter(([, version]) => !/^(?:npm:[\w-]+@)?\d+\.\d+\.\d+(?:-beta\.\d+)?$/.test(version))).toEqual([]);
  });
});

it('no committed file names a registry', () => {
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 }).split('\0');
  const named = files
    .filter((file) => /(^|\/)(\.npmrc|package-lock\.json|package\.json|[^/]*\.(mjs|sh|md|ya?ml|ts))$/.test(file))
    .filter((file) => {
      const text = readFileSync(join(root, file), 'utf8');
      return (
        /^\s*(@[^\s:]+:)?registry\s*=/m.test(text) ||
        /"resolved":/.test(text) ||
        /https?:\/\/[^\s"'`]*(registry\.|npmjs\.|artifactory|verdaccio)/.test(text)
      );
    });
  // This test says what it looks for.
  expect(named.filter((file) => file !== 'build/lock.test.ts')).toEqual([]);
});

describe('what is installed', () => {
  const entries = {
    'node_modules/a': { version: '1.0.0' },
    'node_modules/b-other': { version: '1.0.0', optional: true, os: ['nowhere'], cpu: ['none'] },
    'node_modules/b-this': { version: '1.0.0', optional: true, os: [process.platform], cpu: [process.arch] },
  };
  it.each<[string, object | undefined, boolean]>([
    ['is all that this platform needs', { 'node_modules/a': { version: '1.0.0' }, 'node_modules/b-this': { version: '1.0.0' } }, true],
    ['is nothing', undefined, false],
    ['lacks a package', { 'node_modules/b-this': { version: '1.0.0' } }, false],
    ['has another version', { 'node_modules/a': { version: '1.0.1' }, 'node_modules/b-this': { version: '1.0.0' } }, false],
    ['lacks the binary of this platform', { 'node_modules/a': { version: '1.0.0' } }, false],
  ])('when it %s', (_name, packages, want) => {
    const folder = mkdtempSync(join(tmpdir(), 'wavetank-installed-'));
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages: { '': {}, ...entries } }));
    mkdirSync(join(folder, 'node_modules'));
    if (packages !== undefined) writeFileSync(join(folder, 'node_modules', '.package-lock.json'), JSON.stringify({ packages }));
    expect(isInstalled(folder)).toBe(want);
    rmSync(folder, { recursive: true });
  });
});
