/** Tells a story to both sides, step by step, until they differ in a write; then takes away what it made. */
import type { JsonValue } from '../../engine/base/json.ts';
import { labelOf } from './bases.ts';
import { type Seen, seen } from './compare.ts';
import { Memory } from './memory.ts';
import { judgement, type Verdict } from './play.ts';
import type { Asked } from './reads.ts';
import { type Answered, bodyOf, type Side } from './sides.ts';
import type { Story } from './story.ts';
import { verbOf } from './verbs.ts';

/** The verdicts of the steps that were told. What differs in a reading changes nothing, so the story goes on. */
export async function tellStory(real: Side, ours: Side, story: Story, steps: readonly Asked[] = story.steps): Promise<readonly Verdict[]> {
  const memories = [new Memory(), new Memory()] as const;
  const verdicts: Verdict[] = [];
  for (const asked of steps) {
    const verdict = await tellStep(real, ours, memories, story, asked);
    verdicts.push(verdict);
    if ((verdict.group !== undefined && asked.method !== 'GET') || verdict.real.code === 0) break;
  }
  await Promise.all([real, ours].map((side) => tidyUp(side, traceOf(story))));
  return verdicts;
}

async function tellStep(real: Side, ours: Side, [left, right]: readonly [Memory, Memory], { base }: Story, asked: Asked): Promise<Verdict> {
  const kind = labelOf(base.kind);
  const answers = [await real.ask(left.resolve(asked)), await ours.ask(right.resolve(asked))] as const;
  let judged = judgement(kind, seenBy(left, asked, answers[0]), seenBy(right, asked, answers[1]));
  // What a real server reads from its cache is a moment late now and then.
  for (let again = 0; asked.method === 'GET' && judged.group !== undefined && again < 3; again++) {
    await new Promise((resolve) => setTimeout(resolve, 120));
    judged = judgement(kind, seenBy(left, asked, await real.ask(left.resolve(asked))), judged.ours);
  }
  return { ...judged, kind, verb: verbOf(asked), asked, fixture: '', own: base.id.startsWith('own-'), hasFixture: true };
}

export function seenBy(memory: Memory, asked: Asked, answered: Answered): Seen {
  memory.learn(answered);
  return seen(memory.mask(answered), asked);
}

/** Where a story may have left something. */
export interface Trace {
  readonly collection: string;
  readonly names: readonly string[];
  readonly isNamespace: boolean;
}

export function traceOf({ place: { collection, names, base } }: Story): Trace {
  return { collection, names, isNamespace: base.kind.kind === 'Namespace' };
}

/** Deletes what is left of the objects, whatever holds them. */
export async function tidyUp(side: Side, { collection, names, isNamespace }: Trace): Promise<void> {
  for (const name of names) {
    for (let tries = 0; tries < 3; tries++) {
      const path = `${collection}/${name}`;
      const ask = (method: string, tail: string, query: string, type = '', body?: JsonValue): Promise<Answered> =>
        side.ask({ method, path: `${path}${tail}`, query, type, accept: 'application/json', ...(body === undefined ? {} : { body }) });
      const answer = await ask('DELETE', '', 'gracePeriodSeconds=0&propagationPolicy=Background');
      const { kind } = bodyOf(answer) as { kind?: string };
      if (answer.code === 404 || (answer.code === 200 && kind === 'Status')) break;
      await ask('PATCH', '', '', 'application/merge-patch+json', { metadata: { finalizers: null } });
      if (isNamespace) await ask('PUT', '/finalize', '', 'application/json', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    }
  }
}

/** The fewest steps of the story, up to the first one of that group, that still lead to it. */
export async function shrinkStory(real: Side, ours: Side, story: Story, group: string): Promise<readonly Verdict[]> {
  const upTo = (verdicts: readonly Verdict[]): readonly Verdict[] => verdicts.slice(0, verdicts.findIndex((verdict) => verdict.group === group) + 1);
  let best = upTo(await tellStory(real, ours, story));
  for (let i = best.length - 2; i >= 0; i--) {
    const fewer = best.filter((_, at) => at !== i).map(({ asked }) => asked);
    const told = upTo(await tellStory(real, ours, story, fewer));
    if (told.length > 0) best = told;
  }
  return best;
}
