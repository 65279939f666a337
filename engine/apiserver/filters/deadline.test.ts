/** How long a request waits for those that it asks who somebody is and what she may. */
import { expect, it } from 'vitest';
import type { Answer, Question } from '../../contracts/questions.ts';
import { enterNow } from '../../registry/testing/serve-now.ts';
import { makeWire } from '../testing/wire.ts';

const path = '/api/v1/namespaces/default/configmaps';
const question: Question = { to: 'review/authorizer', body: {}, timeoutMs: 30_000 };
const told =
  '{"metadata":{},"status":"Failure","message":"Timeout: request did not complete within the allotted timeout","reason":"Timeout","details":{},"code":504}\n';

function asked(query: string, answer: Answer, given: Question = question) {
  const waits: number[] = [];
  const { http, registry } = makeWire({
    authorizer: { authorize: (_identity, _asked, ask) => ({ allowed: ask?.(given).outcome === 'answered', reason: 'nobody answered' }) },
  });
  const request = { method: 'GET', path, query, headers: {}, body: new Uint8Array() };
  const response = http.handle(request, enterNow(registry), (one) => {
    waits.push(one.timeoutMs);
    return answer;
  });
  return { waits, status: 'status' in response ? response.status : 101, text: 'body' in response ? String(response.body) : '', response };
}

it('nobody is waited for longer than the client waits', () => {
  const { waits, status, text, response } = asked('timeout=2s', { outcome: 'timedOut' });
  expect([waits, status, text]).toEqual([[2000], 504, told]);
  expect('headers' in response && response.headers['x-content-type-options']).toBeUndefined();
});

it('who has less time of its own has that, and what its silence means is its own', () => {
  expect(asked('timeout=2s', { outcome: 'timedOut' }, { ...question, timeoutMs: 1500 })).toMatchObject({ waits: [1500], status: 403 });
});

it('who answers in time is heard', () => {
  expect(asked('timeout=2s', { outcome: 'answered', body: {} })).toMatchObject({ waits: [2000], status: 200 });
});

it('nobody waits longer than a minute', () => {
  const patient = { ...question, timeoutMs: 90_000 };
  expect(asked('', { outcome: 'timedOut' }, patient)).toMatchObject({ waits: [60_000], status: 504 });
  expect(asked('timeout=2h', { outcome: 'timedOut' }, patient)).toMatchObject({ waits: [60_000], status: 504 });
  expect(asked('timeout=-2s', { outcome: 'timedOut' }, patient)).toMatchObject({ waits: [60_000], status: 504 });
});

it('a watch waits for them as long as they take', () => {
  expect(asked('timeout=2s&watch=true', { outcome: 'timedOut' })).toMatchObject({ waits: [30_000], status: 403 });
});

it.each(['1ns', '20us', '1ms'])('%s is over before anybody is asked', (timeout) => {
  expect(asked(`timeout=${timeout}`, { outcome: 'answered', body: {} })).toMatchObject({ waits: [], status: 504, text: told });
});
