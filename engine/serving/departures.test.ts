/** Answers of one turn leave together, each once and in order, and none is held up by another. */
import { beforeEach, expect, it } from 'vitest';
import { Departures } from './departures.ts';

let defects: string[];
let left: string[];
let departures: Departures;

beforeEach(() => {
  defects = [];
  left = [];
  departures = new Departures((error) => defects.push(error.message));
});

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it('what is added in one turn leaves at its end, in the order of the calls', async () => {
  for (const name of ['a', 'b', 'c']) departures.add(() => left.push(name));
  await Promise.resolve();
  expect(left).toEqual([]);
  await turn();
  expect(left).toEqual(['a', 'b', 'c']);
  departures.add(() => left.push('d'));
  await turn();
  expect(left).toEqual(['a', 'b', 'c', 'd']);
});

it('what is added while others leave, leaves in the next turn', async () => {
  departures.add(() => departures.add(() => left.push('second')));
  departures.add(() => left.push('first'));
  await turn();
  await turn();
  expect(left).toEqual(['first', 'second']);
});

it('a turn that takes long holds nobody up', () => {
  departures.add(() => left.push('early'));
  for (const endMs = performance.now() + 20; performance.now() < endMs; );
  departures.add(() => left.push('late'));
  expect(left).toEqual(['early', 'late']);
});

it('one that cannot be sent is told of, and the others leave', async () => {
  departures.add(() => {
    throw new Error('broken');
  });
  departures.add(() => left.push('whole'));
  await turn();
  expect([defects, left]).toEqual([['broken'], ['whole']]);
});
