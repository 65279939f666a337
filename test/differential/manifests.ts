/**
 * Puts every manifest of folders before the real API server and before ours and compares the answers:
 * `npm run manifests -- [--port N --peer BIN --show N --limit N --skip REGEXP] FOLDER…`.
 * Definitions are made on both, so that custom resources are asked about too; everything else is a dry run, created and applied as it is written.
 * Files that are templates, or no YAML, are passed over. The last line says `equal=N of N`.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { parse } from 'yaml';
import { isObject, type JsonObject } from '../../engine/base/json.ts';
import { seen } from './compare.ts';
import { defaultBin, startPeer } from './peer.ts';
import { judgement } from './play.ts';
import type { Asked } from './reads.ts';
import { discovered } from './served.ts';
import { peerSide, type Side, wavetankSide } from './sides.ts';

interface Manifest {
  readonly file: string;
  readonly text: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
}
interface Served {
  readonly path: string;
  readonly namespaced: boolean;
}

const together = 24;
/** Until the real server serves what was defined. */
const settlings = 5;
const say = (text: string): void => console.log(text);
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    port: { type: 'string', default: '21700' },
    peer: { type: 'string', default: defaultBin },
    show: { type: 'string', default: '40' },
    limit: { type: 'string', default: 'Infinity' },
    skip: { type: 'string', default: '$^' },
  },
});
const skip = new RegExp(values.skip);

/** Documents of one file; none for what is a template, no YAML, or no object of an API. */
function manifestsOf(file: string): readonly Manifest[] {
  const whole = readFileSync(file, 'utf8');
  if (whole.includes('{{') || whole.includes('<%')) return [];
  return whole.split(/^---.*$/m).flatMap((text) => {
    const object = parsed(text);
    const { apiVersion, kind, metadata } = object;
    if (typeof apiVersion !== 'string' || typeof kind !== 'string' || !isObject(metadata)) return [];
    const { name, namespace } = metadata;
    return [{ file, text, apiVersion, kind, name: typeof name === 'string' ? name : '', namespace: typeof namespace === 'string' ? namespace : '' }];
  });
}

function parsed(text: string): JsonObject {
  try {
    const value: unknown = parse(text, { logLevel: 'silent' });
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** Every text once. */
function read(folders: readonly string[]): readonly Manifest[] {
  const known = new Set<string>();
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) =>
      entry.isFile() && /\.ya?ml$/.test(entry.name) ? [join(entry.parentPath, entry.name)] : [],
    ),
  );
  return files
    .sort()
    .filter((file) => !skip.test(file))
    .flatMap(manifestsOf)
    .filter(({ text }) => {
      const digest = createHash('sha256').update(text.trim()).digest('hex');
      return known.size < known.add(digest).size;
    });
}

const post = (path: string, body: JsonObject): Asked => ({
  method: 'POST',
  path,
  query: '',
  type: 'application/json',
  accept: 'application/json',
  body,
});

/** By version and kind: where it is served. */
async function servedBy(side: Side): Promise<ReadonlyMap<string, Served>> {
  const kinds = (await discovered(side)).filter(({ name }) => !name.includes('/'));
  return new Map(kinds.map(({ groupVersion, kind, path, name, namespaced }) => [`${groupVersion} ${kind}`, { path: `${path}/${name}`, namespaced }]));
}

function requestsOf(manifest: Manifest, { path, namespaced }: Served): readonly Asked[] {
  const collection = namespaced ? path.replace(/\/([^/]+)$/, `/namespaces/${manifest.namespace || 'default'}/$1`) : path;
  const asked = { accept: 'application/json', body: manifest.text, raw: true } as const;
  const create: Asked = {
    ...asked,
    method: 'POST',
    path: collection,
    query: 'dryRun=All&fieldValidation=Warn&fieldManager=m',
    type: 'application/yaml',
  };
  if (manifest.name === '') return [create];
  const query = 'dryRun=All&fieldValidation=Strict&fieldManager=m';
  return [create, { ...asked, method: 'PATCH', path: `${collection}/${manifest.name}`, query, type: 'application/apply-patch+yaml' }];
}

interface Group {
  count: number;
  readonly examples: string[];
}

const examplesMax = 3;

/** How the sides answered. */
class Tally {
  readonly #sides: readonly [real: Side, ours: Side];
  readonly #groups = new Map<string, Group>();
  #all = 0;
  #equal = 0;
  #meant = 0;
  #sameCode = 0;

  constructor(real: Side, ours: Side) {
    this.#sides = [real, ours];
  }

  async ask({ kind, file }: Manifest, asked: Asked): Promise<void> {
    const [real, ours] = this.#sides;
    const there = seen(await real.ask(asked), asked);
    const here = seen(await ours.ask(asked), asked);
    // Its handler broke down.
    if (there.code === 0) return;
    const { group, differences, decided } = judgement(kind, there, here);
    this.#all++;
    if (there.code === here.code) this.#sameCode++;
    if (group === undefined) {
      if (decided.length > 0) this.#meant++;
      else this.#equal++;
      return;
    }
    const found = this.#groups.get(group) ?? { count: 0, examples: [] };
    this.#groups.set(group, found);
    found.count++;
    const shown = JSON.stringify(differences.slice(0, examplesMax)).slice(0, 1500);
    if (found.examples.length < examplesMax) found.examples.push(`${file} ${asked.method} ${asked.path}\n    ${shown}`);
  }

  tell(show: number): void {
    const biggest = [...this.#groups].sort(([, a], [, b]) => b.count - a.count).slice(0, show);
    for (const [name, { count, examples }] of biggest) say(`\n${count}× ${name}\n  ${examples.join('\n  ')}`);
    say(`\nthe same code: ${this.#sameCode} of ${this.#all}; different by decision alone: ${this.#meant}; groups ${this.#groups.size}`);
    say(`equal=${this.#equal} of ${this.#all}`);
    if (this.#equal + this.#meant < this.#all) process.exitCode = 1;
  }
}

async function makeNamespaces(sides: readonly Side[], names: ReadonlySet<string>): Promise<void> {
  for (const name of names) {
    for (const side of sides) {
      await side.ask(post('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }));
      await side.ask(post(`/api/v1/namespaces/${name}/serviceaccounts`, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } }));
    }
  }
}

interface Question {
  readonly manifest: Manifest;
  readonly asked: readonly Asked[];
}

function questionsOf(manifests: readonly Manifest[], served: ReadonlyMap<string, Served>): readonly Question[] {
  return manifests.flatMap((manifest) => {
    const at = served.get(`${manifest.apiVersion} ${manifest.kind}`);
    return at === undefined ? [] : [{ manifest, asked: requestsOf(manifest, at) }];
  });
}

async function run(real: Side): Promise<void> {
  const ours = await wavetankSide();
  const tally = new Tally(real, ours);
  const manifests = read(positionals).slice(0, Number(values.limit));
  const definitions = manifests.filter(({ kind }) => kind === 'CustomResourceDefinition');
  say(`${manifests.length} manifests, ${definitions.length} definitions among them`);
  await makeNamespaces([real, ours], new Set(['default', ...manifests.map(({ namespace }) => namespace).filter((name) => name !== '')]));
  const defined = questionsOf(definitions, await servedBy(real));
  for (const { manifest, asked } of defined)
    for (const create of asked.slice(0, 1)) await tally.ask(manifest, { ...create, query: 'fieldValidation=Warn&fieldManager=m' });
  for (let i = 0; i < settlings; i++) for (const side of [real, ours]) await side.settle();
  for (const { manifest, asked } of defined) for (const apply of asked.slice(1)) await tally.ask(manifest, apply);
  const served = await servedBy(real);
  const others = questionsOf(
    manifests.filter(({ kind }) => kind !== 'CustomResourceDefinition'),
    served,
  ).flatMap(({ manifest, asked }) => asked.map((one) => ({ manifest, asked: one })));
  say(`${served.size} kinds are served, ${others.length} requests about them`);
  for (let i = 0; i < others.length; i += together)
    await Promise.all(others.slice(i, i + together).map(({ manifest, asked }) => tally.ask(manifest, asked)));
  tally.tell(Number(values.show));
}

const peer = startPeer(values.peer, Number(values.port));
const real = peerSide(peer.kubeconfig);
try {
  await run(real);
} finally {
  real.close();
  peer.stop();
}
