/**
 * What a real 1.36.3 and a real 1.13.12 answered to requests that ours once answered otherwise (`facts/*.jsonl.gz`, written by `npm run differential -- --bases own --record`).
 * `gates-on` and `gates-off` hold what it answered with `--gates on` and `off`. They are dry runs over the same fixtures, or stories that leave nothing behind, so each stands for itself.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { readBases } from './bases.ts';
import { compare, seen, wording } from './compare.ts';
import { type Fact, isStory, readFacts, type StoryFact } from './facts.ts';
import { gatedOptions } from './gated.ts';
import { Memory } from './memory.ts';
import { seenBy, tidyUp } from './play-story.ts';
import { type Fixtures, makeFixtures } from './play.ts';
import { resourcesOf } from './served.ts';
import { type Side, wavetankSide } from './sides.ts';

const peers: readonly { readonly real: string; readonly folder: string; readonly release?: string; readonly gates?: 'on' | 'off' }[] = [
  { real: '1.36.3', folder: 'facts' },
  { real: '1.36.3 with gates on', folder: 'facts/gates-on', gates: 'on' },
  { real: '1.36.3 with gates off', folder: 'facts/gates-off', gates: 'off' },
  { real: '1.13.12', folder: 'facts/1.13', release: '1.13' },
];

describe.each(peers)('the answers of a real $real', ({ folder, release, gates }) => {
  const at = join(import.meta.dirname, folder);
  const files = readdirSync(at).filter((name) => name.endsWith('.jsonl.gz'));
  const facts = files.sort().flatMap((name) => readFacts(join(at, name)));
  const byKind = Map.groupBy(facts, ({ kind }) => kind);

  let ours: Side;
  let fixtures: Fixtures;

  beforeAll(async () => {
    ours = await wavetankSide(release, gatedOptions(gates));
    const served = await resourcesOf(ours);
    fixtures = await makeFixtures(
      [ours],
      readBases('own', served, () => undefined),
    );
  });

  it.each([...byKind].sort(([a], [b]) => (a < b ? -1 : 1)))('to requests about %s', async (_kind, asked) => {
    const wrong: unknown[] = [];
    for (const fact of asked) wrong.push(...(isStory(fact) ? await differingStory(fact) : await differing(fact)));
    expect(wrong).toEqual([]);
  });

  async function differingStory(story: StoryFact): Promise<readonly unknown[]> {
    const memory = new Memory();
    const wrong: unknown[] = [];
    for (const { asked, real } of story.steps) {
      const answer = seenBy(memory, asked, await ours.ask(memory.resolve(asked)));
      const differences = compare(real, answer);
      if (differences.length > 0) wrong.push({ asked, differences: wording({ real, ours: answer, differences }) });
    }
    await tidyUp(ours, story);
    return wrong;
  }

  async function differing({ asked, fixture, real }: Fact): Promise<readonly unknown[]> {
    const [version = ''] = fixtures.versions.get(fixture) ?? [];
    const answer = seen(await ours.ask(asked, version), asked, version);
    const differences = compare(real, answer);
    return differences.length === 0 ? [] : [{ asked, differences: wording({ real, ours: answer, differences }) }];
  }
});
