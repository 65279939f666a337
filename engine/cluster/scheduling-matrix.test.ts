/** What `schedulingmatrices` tells of a pod: every node with why it is there or not, nodes alike together. */
import { describe, expect, test } from 'vitest';
import type { SchedulingMatrix } from '../api/sim/v1alpha1/scheduling-matrix.ts';
import { type Attempt, groupsOf } from '../history/matrix/groups.ts';
import { whyNot } from '../history/matrix/why-not.ts';
import { type CycleNodes, NodeVerdicts } from '../history/node-verdicts.ts';
import { aCluster, type TestCluster } from '../../test/support/cluster.ts';

const pods = '/api/v1/namespaces/default/pods';
const matrices = '/apis/sim.wavetank.dev/v1alpha1/namespaces/default/schedulingmatrices';

function pod(name: string, spec: object = {}): object {
  return { metadata: { name }, spec: { containers: [{ name: 'c', image: 'nginx', resources: { requests: { cpu: '1' } } }], ...spec } };
}

function matrix({ call }: TestCluster, name: string, query = ''): SchedulingMatrix['status'] {
  return call<SchedulingMatrix>('GET', `${matrices}/${name}${query}`).status;
}

describe('the matrix of a pod', () => {
  test('of one that was placed tells scores, and in a sentence why it is not elsewhere', async () => {
    const made = await aCluster({ nodes: 4 });
    made.call('PATCH', '/api/v1/nodes/node-3', { spec: { unschedulable: true } }, 'application/merge-patch+json');
    made.call('POST', pods, pod('first', { nodeSelector: { 'kubernetes.io/hostname': 'node-0' } }));
    await made.advance(5_000);
    made.call('POST', pods, pod('second'));
    await made.advance(5_000);
    const { node = '', groups, plugins, feasibleNodes, time } = matrix(made, 'second');
    expect(['node-1', 'node-2']).toContain(node);
    const other = node === 'node-1' ? 'node-2' : 'node-1';
    expect(groups.map(({ verdict, count, nodes }) => [verdict, count, nodes])).toEqual([
      ['Chosen', 1, [node]],
      ['Feasible', 1, [other]],
      ['Feasible', 1, ['node-0']],
      ['Filtered', 1, ['node-3']],
    ]);
    expect(groups[0]?.values).toHaveLength(plugins.length);
    expect([feasibleNodes, Date.parse(time) <= made.cluster.loop.nowMs()]).toEqual([3, true]);
    const why = (name: string) => matrix(made, 'second', `?node=${name}`).asked?.text;
    expect(why(node)).toMatch(/was chosen: its total of \d+ is drawn among 2 with the highest of 3 that would do\.$/);
    expect(why(other)).toMatch(/^node-\d would do as well as node-\d: both have \d+, and one of equals is drawn\.$/);
    expect(why('node-0')).toMatch(/^node-0 would do, but scored \d+ where node-\d scored \d+, mostly for NodeResources\w+ \(\d+ and \d+\)\.$/);
    expect(why('node-3')).toBe('NodeUnschedulable turned node-3 away: node(s) were unschedulable.');
    expect(why('node-9')).toBe('There is no node node-9.');
    expect(made.ask('GET', `${matrices}/nobody`).status).toBe(404);
    expect(made.ask('GET', `${matrices}/second?attempt=7`).status).toBe(404);
  });

  test('of one that waits tells the last attempt, and where room could be made', async () => {
    const made = await aCluster({ nodes: 2 });
    const all = { containers: [{ name: 'c', image: 'nginx', resources: { requests: { cpu: '3' } } }] };
    for (const node of ['node-0', 'node-1']) made.call('POST', pods, pod(`on-${node}`, { ...all, nodeSelector: { 'kubernetes.io/hostname': node } }));
    await made.advance(5_000);
    made.call('POST', pods, pod('waits', all));
    await made.advance(5_000);
    const { result, groups } = matrix(made, 'waits');
    expect([result, groups.map(({ plugin, reasons, count }) => [plugin, reasons, count])]).toEqual([
      'unschedulable',
      [['NodeResourcesFit', ['Insufficient cpu'], 2]],
    ]);
    const classes = '/apis/scheduling.k8s.io/v1/priorityclasses';
    made.call('POST', classes, { metadata: { name: 'high' }, value: 1000 });
    made.call('POST', pods, pod('pushes', { ...all, priorityClassName: 'high' }));
    await made.advance(1_000);
    const { preemption } = matrix(made, 'pushes', '?attempt=1');
    expect(preemption).toMatchObject({ candidateCount: 2, victims: [expect.stringMatching(/^default\/on-node-/)] });
    expect(matrix(made, 'pushes', '?attempt=1&node=node-1').asked?.text).toMatch(
      /^NodeResourcesFit turned node-1 away: Insufficient cpu\. By preemption .*: 1 pod would have to go\.$/,
    );
    made.call('POST', '/api/v1/nodes', { metadata: { name: 'late' } });
    expect(matrix(made, 'pushes', '?attempt=1&node=late').asked).toMatchObject({ verdict: 'Later', text: 'late came after this attempt.' });
  });
});

describe('nodes of thousands', () => {
  const names = Array.from({ length: 5_000 }, (_, index) => ({ name: `n${String(index).padStart(4, '0')}` }));
  const [cpu, taint] = [
    { plugin: 'NodeResourcesFit', reasons: ['Insufficient cpu', 'Insufficient memory'] },
    { plugin: 'TaintToleration', reasons: ['node(s) had untolerated taint(s)'] },
  ];
  const attempt: Attempt = {
    ...{ virtualMs: 10, attempt: 3, result: 'unschedulable', evaluatedNodes: 5_000, feasibleNodes: 0 },
    filtered: {
      NodeResourcesFit: { 'Insufficient cpu': { count: 4_000, nodes: ['n0000'] } },
      TaintToleration: { tainted: { count: 1_000, nodes: ['n4000'] } },
    },
  };
  const nodes: CycleNodes = { feasible: [], rejected: names, verdicts: names.map((_, index) => (index < 4_000 ? cpu : taint)) };

  test('are a row for each kind of node, and each is found by its name', () => {
    const groups = groupsOf(attempt, nodes);
    expect(groups.map(({ count, plugin, nodes: shown }) => [count, plugin, shown.length])).toEqual([
      [4_000, 'NodeResourcesFit', 50],
      [1_000, 'TaintToleration', 50],
    ]);
    expect(whyNot({ name: 'n3999', createdMs: 0 }, attempt, groups, nodes).text).toBe(
      'NodeResourcesFit turned n3999 away: Insufficient cpu; Insufficient memory.',
    );
  });

  test('are told as far as the record goes where they are not known by name any more', () => {
    const asked = { name: 'n3999', createdMs: 0 };
    expect(whyNot(asked, attempt, groupsOf(attempt, undefined), undefined)).toMatchObject({
      verdict: 'Unknown',
      text: expect.stringContaining('NodeResourcesFit: Insufficient cpu, or TaintToleration: tainted') as string,
    });
    const one = { ...attempt, filtered: { NodeResourcesFit: { 'Insufficient cpu': { count: 5_000, nodes: ['n0000'] } } } };
    expect(whyNot(asked, one, groupsOf(one, undefined), undefined).verdict).toBe('Filtered');
  });

  test('are kept of the newest attempts alone, and of no history that was left', () => {
    const kept = new NodeVerdicts();
    for (let count = 0; count < 150; count++) kept.keep(`default/p${count}`, count, 1, nodes);
    expect([kept.find('default/p0', 0, 1), kept.find('default/p149', 149, 1)]).toEqual([undefined, nodes]);
    expect(kept.find('default/p149', 150, 1)).toBeUndefined();
  });
});
