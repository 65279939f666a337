/** Batches of events on their way to a webhook: when they leave, and what becomes of them when nobody takes them. */
import { expect, test } from 'vitest';
import { AuditWebhook, type AuditWebhookOptions } from './audit-webhook.ts';

function aWebhook(fails: (call: number) => boolean = () => false, more: Partial<AuditWebhookOptions> = {}) {
  const wall = { nowMs: 1_000 };
  const timers: { readonly delayMs: number; readonly call: () => void }[] = [];
  const bodies: string[] = [];
  const said: string[] = [];
  let calls = 0;
  const webhook = new AuditWebhook(
    { bufferSize: 4, batchSize: 2, batchWaitMs: 30_000, backoffMs: 10_000, ...more },
    {
      post: (json) => {
        if (fails(++calls)) return Promise.reject(new Error('connect ECONNREFUSED'));
        bodies.push(json);
        return Promise.resolve();
      },
      after: (delayMs, call) => {
        const timer = { delayMs, call };
        timers.push(timer);
        return () => void (timers.includes(timer) && timers.splice(timers.indexOf(timer), 1));
      },
      nowMs: () => wall.nowMs,
      say: (line) => void said.push(line),
    },
  );
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
  };
  return { wall, webhook, timers, bodies, said, settle, calls: () => calls };
}

test('a batch leaves when it is full, or has waited', async () => {
  const { webhook, timers, bodies, settle } = aWebhook();
  void webhook.write('{"auditID":"1"}');
  await settle();
  expect([bodies, timers.map(({ delayMs }) => delayMs)]).toEqual([[], [30_000]]);
  void webhook.write('{"auditID":"2"}');
  await settle();
  expect(bodies.map((body) => JSON.parse(body) as object)).toEqual([
    { kind: 'EventList', apiVersion: 'audit.k8s.io/v1', metadata: {}, items: [{ auditID: '1' }, { auditID: '2' }] },
  ]);
  void webhook.write('{"auditID":"3"}');
  timers.shift()?.call();
  await settle();
  expect(bodies).toHaveLength(2);
});

test('items do not say what they are, the list does', async () => {
  const { webhook, bodies, settle } = aWebhook();
  for (const auditID of ['1', '2']) void webhook.write(`{"kind":"Event","apiVersion":"audit.k8s.io/v1","auditID":"${auditID}"}`);
  await settle();
  // As real servers of both releases sent them.
  expect(bodies).toEqual(['{"kind":"EventList","apiVersion":"audit.k8s.io/v1","metadata":{},"items":[{"auditID":"1"},{"auditID":"2"}]}']);
});

test('what is not taken is tried again, later each time, and lost in the end; requests never wait', async () => {
  const { webhook, timers, said, settle, calls } = aWebhook((call) => call <= 5);
  void webhook.write('1');
  void webhook.write('2');
  const waits: number[] = [];
  for (let retry = 0; retry < 4; retry++) {
    await settle();
    waits.push(timers[0]?.delayMs ?? 0);
    timers.shift()?.call();
  }
  await settle();
  expect(waits).toEqual([10_000, 15_000, 22_500, 33_750]);
  expect([calls(), webhook.errors, said]).toEqual([5, 2, ["Error in audit plugin 'webhook' affecting 2 audit events: connect ECONNREFUSED"]]);
  void webhook.write('3');
  void webhook.write('4');
  await settle();
  expect(said.at(-1)).toBe('audit events are taken by the webhook again');
});

test('while a batch is tried again, what comes waits in the buffer, and is lost when that is full', async () => {
  const { webhook, timers, bodies, settle } = aWebhook((call) => call === 1);
  for (const event of ['1', '2', '3', '4', '5', '6', '7']) void webhook.write(event);
  await settle();
  expect(webhook.errors).toBe(1);
  timers.find(({ delayMs }) => delayMs === 10_000)?.call();
  await settle();
  expect(bodies.map((body) => (JSON.parse(body) as { items: number[] }).items)).toEqual([
    [1, 2],
    [3, 4],
    [5, 6],
  ]);
});

test('on closing what waits is sent, and tried once', async () => {
  const taken = aWebhook();
  void taken.webhook.write('1');
  await taken.webhook.close();
  expect(taken.bodies).toHaveLength(1);
  const refused = aWebhook(() => true);
  void refused.webhook.write('1');
  await refused.webhook.close();
  expect([refused.calls(), refused.webhook.errors]).toEqual([1, 1]);
});

test.each([
  ['blocking', true],
  ['blocking-strict', false],
] as const)('in mode %s each event leaves by itself and is waited for; %s where it is lost', async (mode, isLet) => {
  const { webhook, timers, bodies, settle } = aWebhook((call) => call > 1, { mode });
  await expect(webhook.write('1')).resolves.toBe(true);
  expect(bodies.map((body) => (JSON.parse(body) as { items: number[] }).items)).toEqual([[1]]);
  const lost = webhook.write('2');
  for (let retry = 0; retry < 4; retry++) {
    await settle();
    timers.shift()?.call();
  }
  await expect(lost).resolves.toBe(isLet);
  expect(webhook.errors).toBe(1);
});

test('no more batches leave than the throttle lets, and none is lost for that', async () => {
  const { wall, webhook, timers, bodies, settle } = aWebhook(undefined, { bufferSize: 100, throttle: { qps: 2, burst: 2 } });
  for (let event = 0; event < 8; event++) {
    void webhook.write(String(event));
    await settle();
  }
  // Two batches at once, then one each half second.
  expect([bodies.length, timers.map(({ delayMs }) => delayMs)]).toEqual([2, [500]]);
  for (let step = 0; step < 2; step++) {
    wall.nowMs += 500;
    timers.shift()?.call();
    await settle();
  }
  expect(bodies.flatMap((body) => (JSON.parse(body) as { items: number[] }).items)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  expect(webhook.errors).toBe(0);
});

test('a batch that is too large is sent in parts', async () => {
  const { webhook, bodies, settle } = aWebhook(undefined, { bufferSize: 10, batchSize: 4, batchBytesMax: 9 });
  for (const event of ['1111', '222', '33333333', '4']) void webhook.write(event);
  await settle();
  await settle();
  expect(bodies.map((body) => (JSON.parse(body) as { items: number[] }).items)).toEqual([[1111, 222], [33333333], [4]]);
});
