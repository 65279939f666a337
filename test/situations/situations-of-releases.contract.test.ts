/**
 * The same for older releases: what of the situations each can be told, against what its own controllers wrote
 * (`npm run situations -- --release 1.13 --record`). A situation that the release can be told and that it waits in vain in is a fact too.
 */
import { describe, expect, it } from 'vitest';
import { dialects, presentRelease } from './dialect.ts';
import { groups } from './groups.ts';
import { differencesOf, readDifferences, readFacts } from './judge.ts';
import { playOurs } from './play.ts';

const older = Object.values(dialects).filter(({ release }) => release !== presentRelease);

describe.each(older)('situations in release $release', (dialect) => {
  const differences = readDifferences(dialect);
  const listed = Object.values(differences).flat();
  const races = Object.entries(differences).flatMap(([reason, ids]) => (reason.startsWith('a race') ? ids : []));
  const recorded = groups.map(({ controller, situations }) => ({ controller, situations, facts: readFacts(controller, dialect) }));

  it('that differ are among those recorded, once', () => {
    const known = recorded.flatMap(({ controller, facts }) => [...facts.keys()].map((name) => `${controller}/${name}`));
    expect(known.length).toBeGreaterThan(300);
    expect(listed.filter((id) => !known.includes(id))).toEqual([]);
    expect(new Set(listed).size).toBe(listed.length);
  });

  it.each(recorded)('of $controller end as in the real one', { timeout: 300_000 }, async ({ controller, situations, facts }) => {
    const different: string[] = [];
    const unexpected: string[] = [];
    for (const situation of situations) {
      const id = `${controller}/${situation.name}`;
      const wanted = facts.get(situation.name);
      if (wanted === undefined) continue;
      const lines = differencesOf(wanted, (await playOurs(situation, dialect)).facts ?? []);
      if (lines.length === 0) continue;
      different.push(id);
      if (!listed.includes(id)) unexpected.push(`${id}\n${lines.join('\n')}`);
    }
    expect(unexpected).toEqual([]);
    expect(listed.filter((id) => id.startsWith(`${controller}/`) && !different.includes(id) && !races.includes(id))).toEqual([]);
  });
});
