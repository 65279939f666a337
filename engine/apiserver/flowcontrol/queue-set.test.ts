/** Fair queuing: whose turn it is. */
import { expect, test } from 'vitest';
import { type Queue, type Queueable, QueueSet } from './queue-set.ts';

interface Item extends Queueable {
  readonly name: string;
}

function makeQueues() {
  const queues = new QueueSet<Item>({ queues: 3, handSize: 1, lengthMax: 10 });
  /** A flow whose only queue is the one of its number. */
  const come = (flow: number, name = String(flow)): Queue<Item> => {
    const item: Item = { name, hash: BigInt(flow), arrivalR: 0, estimate: { initialSeats: 1, finalSeats: 0, additionalMs: 0 } };
    const queue = queues.queueFor(item.hash, queues.arrived());
    queues.enqueue(item, queue);
    return queue;
  };
  const serve = (): { readonly name: string; readonly end: (tookMs: number) => void } => {
    const found = queues.next();
    if (found === undefined) throw new Error('nobody waits');
    const { name, estimate } = queues.begin(found.queue, 10);
    return { name, end: (tookMs) => queues.ended(found.queue, estimate, tookMs) };
  };
  return { queues, come, serve };
}

test('of flows that are equal none is always the first', () => {
  const { queues, come, serve } = makeQueues();
  come(1);
  serve().end(3);
  // Nobody waits and nothing is served: all begin anew where virtual time is then.
  queues.advance(9_000, 0, 1);
  for (const flow of [0, 1, 2]) come(flow);
  expect([serve().name, serve().name, serve().name]).toEqual(['2', '0', '1']);
});

test('a flow whose requests took long comes after one whose requests were short', () => {
  const { queues, come, serve } = makeQueues();
  for (const flow of [1, 2, 1, 2]) come(flow);
  const [first, second] = [serve(), serve()];
  expect([first.name, second.name]).toEqual(['1', '2']);
  first.end(900);
  second.end(1);
  queues.advance(901, 0, 1);
  expect(serve().name).toBe('2');
});

test('who gives up takes no turn', () => {
  const { queues, come, serve } = makeQueues();
  const queue = come(1, 'leaves');
  come(2, 'stays');
  const [gone] = queue.waiting;
  expect(gone && queues.leave(gone, queue)).toBe(true);
  expect(gone && queues.leave(gone, queue)).toBe(false);
  expect(queues.waiting).toBe(1);
  expect(serve().name).toBe('stays');
  expect(queues.next()).toBeUndefined();
});
