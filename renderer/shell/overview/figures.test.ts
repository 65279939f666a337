import { expect, it } from 'vitest';
import { figuresOf, type Served } from './figures.ts';

const status: Served = {
  nodes: { total: 3, ready: 2 },
  pods: {},
  workloads: 0,
  workloadsShort: 0,
  cronJobsLate: 0,
  faultsActive: 0,
  warningsPerMinute: 0,
  requestsPerSecond: 0,
  curves: { nodes: [2, 3, 3, 3], 'nodes/Ready': [2, 3, 1, 2], 'workloads/Short': [0, 2, 0, 0] },
};

it('a curve is red where something was missing, whatever is missing now', () => {
  const [nodes, workloads] = figuresOf(status);
  expect(nodes).toMatchObject({ tone: 'bad', curveTone: 'plain', curve: [2, 3, 1, 2], missing: [0, 0, 2, 1] });
  expect(workloads).toMatchObject({ tone: 'plain', curveTone: 'bad', curve: [0, 2, 0, 0] });
});

it('each figure has its curve, also where nothing happened', () => {
  const { curves: _, ...unread } = status;
  const curves = figuresOf(status).map(({ curve }) => curve?.length);
  expect(curves).toEqual([4, 4, 4, 4, 4, 4]);
  expect(figuresOf(unread).map(({ curve }) => curve)).toEqual(new Array(6).fill(undefined));
});
