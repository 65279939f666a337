/**
 * What our controllers write in every situation, against what the real ones wrote (`facts/`, made by `npm run situations -- --record`).
 * Situations that are not equal yet stand in differences.json with the reason, and must leave that list when they are.
 */
import { describe, expect, it } from 'vitest';
import { groupsDialect, mustGetDialect, presentRelease } from './dialect.ts';
import { groupsOf } from './groups.ts';
import { differencesOf, readDifferences, readFacts } from './judge.ts';
import { playOurs } from './play.ts';

describe.each([presentRelease, groupsDialect].map(mustGetDialect))('situations of $name', (dialect) => {
  const groups = groupsOf(dialect);
  const differences = readDifferences(dialect);
  const listed = Object.values(differences).flat();
  /** Which way a race goes is nobody's promise: these may be equal, too. */
  const races = Object.entries(differences).flatMap(([reason, ids]) => (reason.startsWith('a race') ? ids : []));
  const known = groups.flatMap(({ controller, situations }) => situations.map(({ name }) => `${controller}/${name}`));

  it('have names of their own, and those that differ are among them once', () => {
    expect(new Set(known).size).toBe(known.length);
    expect(listed.filter((id) => !known.includes(id))).toEqual([]);
    expect(new Set(listed).size).toBe(listed.length);
  });

  it.each(groups)('of $controller end as in a real control plane', { timeout: 300_000 }, async ({ controller, situations }) => {
    const facts = readFacts(controller, dialect);
    const different: string[] = [];
    const unexpected: string[] = [];
    for (const situation of situations) {
      const id = `${controller}/${situation.name}`;
      const lines = differencesOf(facts.get(situation.name) ?? [], (await playOurs(situation, dialect)).facts ?? []);
      if (lines.length === 0) continue;
      different.push(id);
      if (!listed.includes(id)) unexpected.push(`${id}\n${lines.join('\n')}`);
    }
    expect(unexpected).toEqual([]);
    expect(listed.filter((id) => id.startsWith(`${controller}/`) && !different.includes(id) && !races.includes(id))).toEqual([]);
  });
});
