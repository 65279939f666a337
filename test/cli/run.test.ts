/** `wavetank run`: the verdict as the exit code, one object as the last line. */
import { writeFileSync } from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import { Home } from './wavetank.ts';

const home = new Home();
afterAll(() => home.remove());

it('runs a shipped scenario with the same digest at every speed', async () => {
  const runs = await Promise.all([
    home.run('run', 'node-power-loss', '--seed', '4', '--output', 'json'),
    home.run('run', 'node-power-loss', '--seed', '4', '--speed', '400', '--output', 'json'),
  ]);
  const results = runs.map(({ code, out }) => ({
    code,
    ...(JSON.parse(out.trim().split('\n').at(-1) ?? '') as { digest: string; virtualSeconds: number }),
  }));
  expect(results[0]).toEqual({
    code: 0,
    scenario: 'node-power-loss',
    seed: 4,
    verdict: 'passed',
    digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    virtualSeconds: expect.any(Number),
    wallSeconds: expect.any(Number),
  });
  expect(results[1]?.digest).toBe(results[0]?.digest);
});

it('runs a scenario as the release that it or the command names', async () => {
  const file = home.file('old.yaml');
  writeFileSync(
    file,
    `apiVersion: sim.wavetank.dev/v1alpha1
kind: Scenario
metadata: {name: old}
spec:
  title: A node says which release it is of
  cluster: {nodes: 1, emulate: 1.13}
  steps: [{name: wait, wait: 5s}]
  expectations:
    - name: of 1.13
      object: {apiVersion: v1, kind: Node, name: node-0}
      where: [{path: status.nodeInfo.kubeletVersion, equals: v1.13.12}]
      before: 1s
`,
  );
  const own = await home.run('run', file, '--output', 'json');
  const other = await home.run('run', file, '--emulate', '1.36', '--output', 'json');
  expect(JSON.parse(own.out)).toMatchObject({ verdict: 'passed' });
  expect(JSON.parse(other.out)).toMatchObject({ verdict: 'failed' });
});

it('ends with 1 when an expectation is missed, and says which', async () => {
  const file = home.file('missed.yaml');
  writeFileSync(
    file,
    `apiVersion: sim.wavetank.dev/v1alpha1
kind: Scenario
metadata: {name: missed}
spec:
  title: A pod that never comes
  cluster: {nodes: 1}
  steps: [{name: wait, wait: 5s}]
  expectations:
    - name: a pod appears
      object: {apiVersion: v1, kind: Pod, namespace: default, name: web}
`,
  );
  const json = await home.run('run', file, '--output', 'json');
  const text = await home.run('run', file);
  expect({ json, text }).toMatchObject({ json: { code: 1 }, text: { code: 1 } });
  expect(JSON.parse(json.out)).toMatchObject({ scenario: 'missed', verdict: 'failed' });
  expect(text.out).toContain('missed  a pod appears');
});
