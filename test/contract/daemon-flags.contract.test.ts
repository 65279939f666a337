/** Command lines that the real daemons of both releases were asked about: what they refused, in what words and with what exit code. */
import { describe, expect, it } from 'vitest';
import { must } from '../../engine/base/assert.ts';
import { controllers } from '../../engine/controllers/index.gen.ts';
import { controllerManager } from '../../engine/host/daemons/controller-manager.ts';
import { readCommandLine } from '../../engine/host/daemons/daemon.ts';
import { schedulerDaemon } from '../../engine/host/daemons/scheduler.ts';
import { getRelease } from '../../engine/releases/releases.ts';
import recordedNames from './controller-names.json' with { type: 'json' };
import differences from './daemon-flags/differences.json' with { type: 'json' };
import { type Fact, readFacts } from './daemon-flags/facts.ts';
import { oursTo } from './daemon-flags/judge.ts';

const facts = readFacts();
const known = new Set(Object.values(differences).flat());
const nameOf = ({ release, daemon, args }: Fact): string => `${release} ${daemon} ${JSON.stringify(args)}`;
const isEqual = (fact: Fact): boolean => JSON.stringify(oursTo(fact)) === JSON.stringify(fact.said);

describe.each(['1.36', '1.13'])('daemons of %s', (release) => {
  it.each(['kube-controller-manager', 'kube-scheduler'])('%s takes and refuses what the real one does, in its words', (daemon) => {
    const asked = facts.filter((fact) => fact.release === release && fact.daemon === daemon);
    expect(asked.length).toBeGreaterThan(500);
    const wrong = asked.filter((fact) => !known.has(nameOf(fact)) && !isEqual(fact));
    expect(wrong.map((fact) => ({ line: nameOf(fact), real: fact.said, ours: oursTo(fact) }))).toEqual([]);
  });
});

it('what is written down as different is', () => {
  const named = new Map(facts.map((fact) => [nameOf(fact), fact]));
  expect([...known].filter((name) => !named.has(name))).toEqual([]);
  expect([...known].filter((name) => isEqual(named.get(name) as Fact))).toEqual([]);
});

it('a manager of 1.13 has the controllers that its help names, each of them one of ours', () => {
  const { daemonOptions } = must(getRelease('1.13'), 'the release');
  const ours = new Set(controllers.map(({ name }) => name));
  expect(Object.keys(daemonOptions?.controllers ?? {}).sort()).toEqual([...recordedNames['1.13'].all].sort());
  expect(
    Object.values(daemonOptions?.controllers ?? {})
      .flat()
      .filter((name) => !ours.has(name)),
  ).toEqual([]);
});

it.each([controllerManager, schedulerDaemon])('the help of $name of 1.13 leaves out what came later, and tells what a leader holds', (kind) => {
  const help = readCommandLine(kind, ['--emulate=1.13', '--help']);
  expect(help).toMatch(/--leader-elect-resource-lock string\n.*\(default endpoints\)/);
  expect(help).not.toContain('--logging-format');
  expect(readCommandLine(kind, ['--help'])).toContain('--logging-format');
});
