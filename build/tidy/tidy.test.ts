/** The house rules that a program can check, run first in the ordinary test run. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { bans, hostRooms } from './bans.ts';
import { dictionaryFaults } from './dictionaries.ts';
import { checkedRoots, type Room, rooms } from './boundaries.ts';
import { unnamedExports } from './exports.ts';
import { countInvariants, functionsPerAssertion, invariantRooms } from './invariants.ts';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const linesMax = 800;
const linesAsking = 400;
/** Files between 400 and 800 lines, each with its reason. */
const longFiles: Readonly<Record<string, string>> = JSON.parse(readFileSync(join(root, 'build/tidy/long-files.json'), 'utf8'));

interface Source {
  readonly path: string;
  readonly text: string;
}

function listSources(folder: string): readonly Source[] {
  return readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.parentPath.includes('node_modules'))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .sort()
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}

const sources = checkedRoots.flatMap((folder) => listSources(folder));
const isTest = (path: string): boolean => /\.(test|contract|bench)\.tsx?$/.test(path) || path.includes('/testing/');
const isGenerated = (path: string): boolean => path.endsWith('.gen.ts');

/** Comments become spaces; texts stay. Good enough to look for calls. */
function withoutComments(text: string): string {
  return text
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/^\s*\/\/.*$/gm, '')
    .replace(/\s\/\/ .*$/gm, '');
}

function roomOf(path: string): Room | undefined {
  return rooms.filter((room) => path === room.path || path.startsWith(`${room.path}/`)).sort((a, b) => b.path.length - a.path.length)[0];
}

/** Specifiers of static imports and re-exports (which may span lines), dynamic imports and import types. */
function importsOf(source: Source): readonly string[] {
  const code = withoutComments(source.text);
  const statements = code.matchAll(/^(?:import|export)\b[^;'"`=]*?from '([^']+)'/gm);
  const bare = code.matchAll(/^import '([^']+)'/gm);
  const dynamic = code.matchAll(/\bimport\('([^']+)'\)/g);
  return [...statements, ...bare, ...dynamic].map((match) => match[1] as string);
}

function isAllowed(room: Room, source: Source, specifier: string): boolean {
  if (!specifier.startsWith('.')) {
    return (room.packages ?? []).some((name) => name === '*' || specifier === name || specifier.startsWith(name.endsWith(':') ? name : `${name}/`));
  }
  const target = relative(root, resolve(root, dirname(source.path), specifier)).replaceAll('\\', '/');
  for (const wall of room.siblingsAreWalls ?? []) {
    const from = source.path.slice(wall.length + 1).split('/');
    const to = target.slice(wall.length + 1).split('/');
    if (
      source.path.startsWith(`${wall}/`) &&
      target.startsWith(`${wall}/`) &&
      from.length > 1 &&
      to.length > 1 &&
      from[0] !== to[0] &&
      to[0] !== 'lib'
    )
      return false;
  }
  return [room.path, ...room.mayImport].some((allowed) => target === allowed || target.startsWith(`${allowed}/`));
}

/** Texts that name a release, and values that are made of one while modules load. The release is the cluster's, and code asks it. */
function releaseFaults(code: string, names: readonly string[]): readonly string[] {
  const named = names.filter((name) => new RegExp(`['"\`][^'"\`\\n]*(?<![\\d.])${name.replace('.', '\\.')}(?![\\d])[^'"\`\\n]*['"\`]`).test(code));
  const statements = code.split(/^(?=[a-z])/m).filter((statement) => /^(export )?(const|let) /.test(statement));
  const read = statements.filter((statement) => /\b(defaultRelease|mustGetRelease|getRelease|releases)\b/.test(statement.split('=>')[0] ?? ''));
  return [...named.map((name) => `names release ${name}`), ...read.map((statement) => `reads a release at module load: ${statement.split('\n')[0]}`)];
}

describe('tidy', () => {
  it('puts every source file into a room', () => {
    expect(sources.filter((source) => roomOf(source.path) === undefined).map((source) => source.path)).toEqual([]);
  });

  it('lets rooms import only what the boundaries table allows', () => {
    const broken = sources
      .filter((source) => !isTest(source.path) && !isGenerated(source.path))
      .flatMap((source) =>
        importsOf(source)
          .filter((specifier) => !isAllowed(roomOf(source.path) as Room, source, specifier))
          .map((specifier) => `${source.path} imports ${specifier}`),
      );
    expect(broken).toEqual([]);
  });

  it('keeps the wall clock, real timers, real chance and module state out of the deterministic rooms', () => {
    const broken = sources
      .filter(
        (source) =>
          source.path.startsWith('engine/') &&
          !hostRooms.some((room) => source.path.startsWith(room)) &&
          !isTest(source.path) &&
          !isGenerated(source.path),
      )
      .flatMap((source) => {
        const code = withoutComments(source.text);
        return bans
          .filter((ban) => ban.pattern.test(code) && !ban.except.includes(source.path))
          .map((ban) => `${source.path}: ${ban.pattern} – use ${ban.instead}`);
      });
    expect(broken).toEqual([]);
  });

  it('indexes no plain object by keys that somebody else chose', () => {
    const broken = sources
      .filter(({ path }) => /^(engine|renderer|electron)\//.test(path) && path !== 'engine/base/dictionary.ts' && !isTest(path) && !isGenerated(path))
      .flatMap(({ path, text }) => dictionaryFaults(withoutComments(text), path).map((fault) => `${path}: ${fault}`));
    expect(broken).toEqual([]);
  });

  it('states invariants where state is changed', () => {
    const sparse = invariantRooms.flatMap((room) => {
      const counts = sources
        .filter(({ path }) => path.startsWith(room) && !isTest(path) && !isGenerated(path))
        .map(({ text }) => countInvariants(withoutComments(text)));
      const functions = counts.reduce((sum, count) => sum + count.functions, 0);
      const assertions = counts.reduce((sum, count) => sum + count.assertions, 0);
      return assertions * functionsPerAssertion < functions ? [`${room} has ${functions} functions and ${assertions} assertions`] : [];
    });
    expect(sparse).toEqual([]);
  });

  it('keeps files short enough to read', () => {
    const tooLong = sources
      .filter((source) => !isGenerated(source.path))
      .map((source) => ({ path: source.path, lines: source.text.split('\n').length }))
      .filter(({ path, lines }) => lines > linesMax || (lines > linesAsking && longFiles[path] === undefined))
      .map(({ path, lines }) => `${path}: ${lines} lines`);
    expect(tooLong).toEqual([]);
  });

  it('exports nothing that no other file names', () => {
    const others = ['build', 'test', 'scenarios'].flatMap((folder) => listSources(folder));
    expect(
      unnamedExports(
        [...sources, ...others].filter(({ path }) => !isGenerated(path)),
        [...sources, ...others],
      ),
    ).toEqual([]);
  });

  it('names no release in code, and reads none at module load', () => {
    const names = readdirSync(join(root, 'engine/releases'), { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
    expect(names).not.toEqual([]);
    const broken = sources
      .filter(({ path }) => /^(engine|renderer|electron)\//.test(path) && !path.startsWith('engine/releases/') && !isTest(path) && !isGenerated(path))
      .flatMap(({ path, text }) => releaseFaults(withoutComments(text), names).map((fault) => `${path}: ${fault}`));
    expect(broken).toEqual([]);
  });

  it('finds its own bad examples', () => {
    expect(releaseFaults("  if (release.name === '1.13') return;", ['1.13'])).toHaveLength(1);
    expect(releaseFaults('  const agent = `kube-probe/1.36`;', ['1.36'])).toHaveLength(1);
    expect(releaseFaults("  if (ip === '10.1.13.2') return;", ['1.13'])).toEqual([]);
    expect(releaseFaults('const gates = mustGetRelease(name).featureGates;', [])).toHaveLength(1);
    expect(releaseFaults('export const flags = [\n  ...listOf(defaultRelease),\n];', [])).toHaveLength(1);
    expect(releaseFaults('const of = () => defaultRelease;\nfunction g() {\n  return defaultRelease;\n}', [])).toEqual([]);
    expect(dictionaryFaults('  const into: Record<string, number> = {};\n  for (const name of names) into[name] ??= 1;')).toHaveLength(1);
    expect(dictionaryFaults('function add(into: { [name: string]: string }, name: string) {\n  into[name] = 1;\n}')).toHaveLength(1);
    expect(dictionaryFaults("const keys: { readonly [type: string]: string } = { a: 'b' };\nconst f = (type) => keys[type];")).toHaveLength(1);
    expect(dictionaryFaults("  const into: Record<string, number> = {};\n  into['a'] = into['b'] === 1;\nsetOwn(into, name, 2);")).toEqual([]);
    expect(dictionaryFaults('  const into: Record<string, number> = dictionary();\ninto[name] = 1;')).toEqual([]);
    const lonely = { path: 'a.ts', text: 'export const one = 1;\nexport function two() {\n  return one;\n}' };
    expect(unnamedExports([lonely], [lonely, { path: 'b.ts', text: 'two();' }])).toEqual(['a.ts: one']);
    const room = roomOf('engine/controllers/deployment/controller.ts') as Room;
    const source: Source = { path: 'engine/controllers/deployment/controller.ts', text: '' };
    expect(isAllowed(room, source, '../replicaset/controller.ts')).toBe(false);
    expect(isAllowed(room, source, '../../store/store.ts')).toBe(false);
    expect(isAllowed(room, source, 'node:fs')).toBe(false);
    expect(isAllowed(room, source, '../lib/expectations.ts')).toBe(true);
    expect(bans.some((ban) => ban.pattern.test('const t = Date.now();'))).toBe(true);
    const code =
      'export function f(a: number): void {\n  assert(a > 0, "it");\n}\nclass A {\n  #b<T>(c: T): void {\n    if (c) return;\n  }\n  get d(): number {\n}';
    expect(countInvariants(code)).toEqual({ functions: 3, assertions: 1 });
    expect(bans.some((ban) => ban.pattern.test(withoutComments('// Date.now() is banned')))).toBe(false);
  });
});
