import { expect, test } from 'vitest';
import { Rehearsal } from './rehearsal.ts';

const failed = (error: unknown): never => {
  throw error;
};

function aBranch(rows: readonly { readonly owner?: string }[] = [{}, { owner: 'replicasets.apps/default/web' }]) {
  const read: string[] = [];
  const cluster = {
    rehearseReading: (plural: string, _name: string, query: object) => void read.push(`${plural} ${JSON.stringify(query)}`),
    history: { rows: () => rows },
    loop: { nowMs: () => 1_000_000 },
  };
  return { read, branch: { cluster, failure: undefined } };
}

test('what a page will ask is read a few times, one reading a step, and never again', () => {
  let wallMs = 0;
  const { read, branch } = aBranch();
  const rehearsal = new Rehearsal(failed, () => wallMs);
  wallMs = 1000;
  expect(rehearsal.step(branch)).toBe(false);
  expect(read).toHaveLength(1);
  while (!rehearsal.step(branch));
  expect(new Set(read.map((one) => one.split(' ')[0]))).toEqual(new Set(['timelines', 'differences', 'clustermaps']));
  expect(read.filter((one) => one.includes('replicasets.apps/default/web'))).toHaveLength(3);
  const all = read.length;
  expect(rehearsal.step(branch)).toBe(true);
  expect(read).toHaveLength(all);
});

test('whoever asks something is not made to wait', () => {
  let wallMs = 0;
  const { read, branch } = aBranch([]);
  const rehearsal = new Rehearsal(failed, () => wallMs);
  for (; wallMs < 2000; wallMs += 100) {
    rehearsal.asked();
    expect(rehearsal.step(branch)).toBe(false);
  }
  expect(read).toEqual([]);
  wallMs += 400;
  rehearsal.step(branch);
  expect(read).toHaveLength(1);
});

test('of a cluster that has failed nothing is read', () => {
  const { read, branch } = aBranch();
  let wallMs = 0;
  const rehearsal = new Rehearsal(failed, () => wallMs);
  wallMs = 1000;
  expect(rehearsal.step({ ...branch, failure: new Error('gone') })).toBe(true);
  expect(read).toEqual([]);
});

test('a reading that fails ends it and nothing else', () => {
  const { branch } = aBranch();
  const defects: unknown[] = [];
  let wallMs = 0;
  const rehearsal = new Rehearsal(
    (error) => defects.push(error),
    () => wallMs,
  );
  wallMs = 1000;
  const fails = () => failed(new Error('broken'));
  expect(rehearsal.step({ ...branch, cluster: { ...branch.cluster, rehearseReading: fails } })).toBe(true);
  expect(defects).toEqual([new Error('broken')]);
});
