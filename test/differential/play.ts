/** Puts single requests before both sides. Nothing that is played changes anything: what is written is a dry run over fixtures that stay. */
import type { JsonObject, JsonValue } from '../../engine/base/json.ts';
import { type Base, labelOf, namespaces } from './bases.ts';
import { compare, type Difference, type Seen, seen, signature } from './compare.ts';
import { openOf } from './decisions.ts';
import { collectionOf, type Drawn, named, requestOf } from './draw.ts';
import type { Edit } from './mutate.ts';
import type { Asked } from './reads.ts';
import { type Answered, bodyOf, type Side } from './sides.ts';
import { namespaceOf, slots } from './story.ts';
import { verbOf } from './verbs.ts';

export interface Verdict {
  readonly kind: string;
  readonly verb: string;
  readonly asked: Asked;
  readonly real: Seen;
  readonly ours: Seen;
  readonly differences: readonly Difference[];
  /** Path of the fixture whose version stands in the request. */
  readonly fixture: string;
  /** Made of nothing but what stands in this repository: it may be kept. */
  readonly own: boolean;
  /** The fixture stands on both sides, if there is to be one. */
  readonly hasFixture: boolean;
  /** Decisions that explain what differs, or a part of it. */
  readonly decided: readonly string[];
  /** Absent when nothing differs that is to be mended. */
  readonly group?: string;
}

const plain = { query: 'fieldValidation=Ignore', type: 'application/json', accept: 'application/json' };

/** What every request is asked over. Upstream's controllers would make the service accounts. */
const setup: readonly Asked[] = [...namespaces, ...Array.from({ length: slots }, (_, slot) => namespaceOf(slot))].flatMap((name) => [
  { ...plain, method: 'POST', path: '/api/v1/namespaces', body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name } } },
  {
    ...plain,
    method: 'POST',
    path: `/api/v1/namespaces/${name}/serviceaccounts`,
    body: { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } },
  },
]);

export interface Fixtures {
  /** By path: the version on each side. */
  readonly versions: ReadonlyMap<string, readonly string[]>;
  /** How the sides answered each creation. */
  readonly made: readonly { readonly base: Base; readonly asked: Asked; readonly answers: readonly Answered[] }[];
}

/** Makes them on every side, in order, and waits for what the servers do by themselves. Those that not every side took are taken away again. */
export async function makeFixtures(sides: readonly Side[], bases: readonly Base[]): Promise<Fixtures> {
  for (const asked of setup) for (const side of sides) await side.ask(asked);
  const made: { base: Base; asked: Asked; answers: readonly Answered[] }[] = [];
  for (const base of bases) {
    if (base.fixture === undefined) continue;
    const asked: Asked = { ...plain, method: 'POST', path: collectionOf(base), body: named(base, 'update') };
    made.push({ base, asked, answers: await Promise.all(sides.map((side) => side.ask(asked))) });
  }
  for (const side of sides) await side.settle();
  const versions = new Map<string, readonly string[]>();
  for (const { base } of made) {
    const path = fixtureOf(base);
    const asked: Asked = { ...plain, query: '', type: '', method: 'GET', path };
    const answers = await Promise.all(sides.map((side) => side.ask(asked)));
    if (answers.some(({ code }) => code !== answers[0]?.code)) for (const side of sides) await side.ask({ ...asked, method: 'DELETE' });
    versions.set(path, answers.map((answer) => versionOf(bodyOf(answer)))); // biome-ignore format: one line
  }
  return { versions, made };
}

function fixtureOf(base: Base): string {
  return `${collectionOf(base)}/${base.fixture ?? ''}`;
}

export class Play {
  readonly #real: Side;
  readonly #ours: Side;
  #versions: ReadonlyMap<string, readonly string[]> = new Map();

  constructor(real: Side, ours: Side) {
    this.#real = real;
    this.#ours = ours;
  }

  /** Makes the fixtures on both sides; answers how each was answered. */
  async prepare(bases: readonly Base[]): Promise<readonly Verdict[]> {
    const { versions, made } = await makeFixtures([this.#real, this.#ours], bases);
    this.#versions = versions;
    return made.map(({ base, asked, answers: [left, right] }) => this.#judge(base, asked, left, right));
  }

  async play(drawn: Drawn, edits: readonly Edit[] = drawn.edits): Promise<Verdict> {
    const { base } = drawn;
    const asked = requestOf(drawn, edits);
    const [realVersion, ourVersion] = this.#versions.get(fixtureOf(base)) ?? [];
    const [left, right] = await Promise.all([this.#real.ask(asked, realVersion), this.#ours.ask(asked, ourVersion)]);
    return this.#judge(base, asked, left, right);
  }

  #judge(base: Base, asked: Asked, left: Answered = nothing, right: Answered = nothing): Verdict {
    const fixture = fixtureOf(base);
    const [realVersion, ourVersion] = this.#versions.get(fixture) ?? [];
    const [real, ours] = [seen(left, asked, realVersion), seen(right, asked, ourVersion)];
    const kind = labelOf(base.kind);
    return {
      kind,
      verb: verbOf(asked),
      own: base.id.startsWith('own-'),
      fixture,
      hasFixture: base.fixture === undefined || (realVersion ?? '') !== '',
      asked,
      ...judgement(kind, real, ours),
    };
  }

  /** The fewest edits, and the smallest base, for which the difference is still of that group. */
  async shrink(drawn: Drawn, group: string): Promise<Verdict> {
    let edits = drawn.edits;
    let best = await this.play(drawn, edits);
    for (let i = edits.length - 1; i >= 0; i--) {
      const fewer = edits.filter((_, at) => at !== i);
      const tried = await this.play(drawn, fewer);
      if (tried.group === group) [edits, best] = [fewer, tried];
    }
    for (const path of cuttable(drawn.base.object)) {
      const more: readonly Edit[] = [{ rule: 'shrink', path }, ...edits];
      const tried = await this.play(drawn, more);
      if (tried.group === group) [edits, best] = [more, tried];
    }
    return best;
  }
}

export type Judgement = Pick<Verdict, 'real' | 'ours' | 'differences' | 'decided' | 'group'>;

export function judgement(kind: string, real: Seen, ours: Seen): Judgement {
  const { differences, decided } = openOf({ kind, real, ours, differences: compare(real, ours) });
  return { real, ours, differences, decided, ...(differences.length === 0 ? {} : { group: signature(real, ours, differences) }) };
}

const nothing: Answered = { code: 0, headers: {}, text: '' };

/** What may be left out of a base: members of the object and of its spec. */
function cuttable(object: JsonObject): readonly (readonly string[])[] {
  const members = (value: JsonValue | undefined): readonly string[] =>
    typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : [];
  const top = members(object).filter((name) => name !== 'apiVersion' && name !== 'kind' && name !== 'metadata');
  return [...top.flatMap((name) => members(object[name]).map((inner) => [name, inner])), ['metadata', 'labels'], ['metadata', 'annotations']];
}

function versionOf(body: JsonValue): string {
  const { metadata } = (body ?? {}) as { metadata?: { resourceVersion?: string } };
  return metadata?.resourceVersion ?? '';
}
