/** What a user can mend: exactly one line on standard error that says what to do, and exit code 2. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { afterAll, expect, it } from 'vitest';
import { Home, type Ended } from './wavetank.ts';

const home = new Home();
afterAll(() => home.remove());

function expectRefusal(ended: Ended, words: string): void {
  expect(ended).toEqual({ code: 2, out: '', error: expect.stringMatching(/^wavetank: [^\n]+\n$/) });
  expect(ended.error).toContain(words);
}

it.each<[string, string]>([
  ['', 'wavetank --help'],
  ['dance', "unknown command 'dance'"],
  ['up --nonsense', "unknown option '--nonsense'"],
  ['up here', 'too many arguments'],
  ['up --nodes', "option '--nodes <n>' argument missing"],
  ['up --emulate 1.12', 'invalid value "1.12" for --emulate: expected 1.36 or 1.13'],
  ['run node-power-loss --emulate 2.0', 'invalid value "2.0" for --emulate: expected 1.36 or 1.13'],
  ['up --feature-gates Nobody=true', 'unrecognized feature gate: Nobody'],
  ['up --nodes many', 'expected a whole number from 0 to 5000'],
  ['up --nodes 5001', 'expected a whole number from 0 to 5000'],
  ['up --zones 0', 'expected a whole number from 1 to 100'],
  ['up --port 70000', 'expected a whole number from 0 to 65535'],
  ['up --seed -1', 'expected a whole number from 0'],
  ['up --speed 0', 'expected `max`, `paused` or a number above 0'],
  ['up --start-time yesterday', 'expected an RFC 3339 time'],
  ['up --start-time 9000-01-01T00:00:00Z', 'at the latest 2250-01-01T00:00:00Z'],
  ['up --output yaml', 'expected json'],
  ['up --name A_b', 'for --name'],
  ['up --node-monitor-period soon', 'expected a duration'],
  ['up --leader-elect maybe', 'expected true or false'],
  ['up --leader-elect-renew-deadline 1m', 'must not exceed'],
  ['status nobody', 'no cluster named nobody is running'],
  ['stop', 'no cluster is running'],
  ['run nowhere', 'it is neither a file nor one of'],
  ['run node-power-loss --speed paused', 'cannot run at --speed paused'],
  ['run node-power-loss --max-pods 0', 'expected at least 1'],
  ['replay missing.jsonl', 'cannot read missing.jsonl (ENOENT)'],
])('wavetank %s', async (line, words) => {
  expectRefusal(await home.run(...line.split(' ').filter((part) => part !== '')), words);
});

it.each<[string, string, string]>([
  ['broken YAML', 'apiVersion: [', 'broken-yaml'],
  ['something else', '- a list', 'is not a YAML map'],
  ['another kind', 'apiVersion: v1\nkind: Pod\nmetadata: {name: x}\n', 'must have apiVersion: sim.wavetank.dev/v1alpha1 and kind: Scenario'],
  ['no name', 'apiVersion: sim.wavetank.dev/v1alpha1\nkind: Scenario\nspec: {steps: []}\n', 'metadata.name is required'],
  ['no steps', 'apiVersion: sim.wavetank.dev/v1alpha1\nkind: Scenario\nmetadata: {name: x}\nspec: {title: x}\n', 'spec.steps'],
  [
    'an unknown step',
    'apiVersion: sim.wavetank.dev/v1alpha1\nkind: Scenario\nmetadata: {name: x}\nspec: {title: x, steps: [{name: a, dance: {}}]}\n',
    'spec.steps[0]',
  ],
  [
    'an option that is unknown',
    'apiVersion: sim.wavetank.dev/v1alpha1\nkind: Scenario\nmetadata: {name: x}\nspec: {title: x, cluster: {options: {nonsense: 1}}, steps: [{name: a, wait: 1s}]}\n',
    'nonsense',
  ],
  [
    'a release that is unknown',
    'apiVersion: sim.wavetank.dev/v1alpha1\nkind: Scenario\nmetadata: {name: x}\nspec: {title: x, cluster: {emulate: 1.12}, steps: [{name: a, wait: 1s}]}\n',
    'cluster.emulate "1.12" is no release: expected 1.36 or 1.13',
  ],
])('a scenario file with %s', async (what, text, words) => {
  const file = home.file(`${what.replaceAll(' ', '-')}.yaml`);
  writeFileSync(file, text);
  expectRefusal(await home.run('run', file), words === 'broken-yaml' ? file : words);
});

it('a port in use', async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  const { port } = taken.address() as { port: number };
  expectRefusal(await home.run('up', '--nodes', '1', '--port', String(port)), String(port));
  taken.close();
});

it('a kubeconfig that cannot be written', async () => {
  writeFileSync(home.file('plain'), '');
  expectRefusal(
    await home.run('up', '--nodes', '1', '--port', '0', '--kubeconfig', home.file('plain/config')),
    'give a path that can be written with --kubeconfig',
  );
});

it('a session that cannot be written', async () => {
  mkdirSync(home.file('folder'));
  expectRefusal(
    await home.run('up', '--nodes', '1', '--port', '0', '--session', home.file('folder/none/session.jsonl')),
    'give another path with --session',
  );
});
