/** Whole numbers that do not fit, applied. What a real 1.36.3 keeps of each stands beside it. */
import { expect, test } from 'vitest';
import type { JsonValue } from '../../engine/base/json.ts';
import { makeApiBench } from '../support/api-bench.ts';

const query = '?fieldManager=m&force=true';

test.each<[JsonValue, number]>([
  [4_294_967_296, 0],
  [4_294_967_299, 3],
  [2_147_483_648, -2_147_483_648],
  [-4_294_967_295, 1],
  [9_007_199_254_740_993n, 1],
  [10n ** 30n, 0],
])('of %s seconds an applied Deployment keeps %s', (sent, kept) => {
  const bench = makeApiBench();
  const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  const spec = { revisionHistoryLimit: sent, selector: { matchLabels: { a: 'b' } }, template };
  const document = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'd' }, spec };
  const answer = bench.send('PATCH', `/apis/apps/v1/namespaces/default/deployments/d${query}`, document, 'application/apply-patch+yaml');
  if (kept < 0)
    expect(answer.message).toBe(
      `Deployment.apps "d" is invalid: spec.revisionHistoryLimit: Invalid value: ${kept}: must be greater than or equal to 0`,
    );
  else expect(answer.value).toMatchObject({ spec: { revisionHistoryLimit: kept } });
});

test('a number or text that does not fit is refused as before', () => {
  const bench = makeApiBench();
  const document = { apiVersion: 'v1', kind: 'Service', metadata: { name: 's' }, spec: { ports: [{ port: 80, targetPort: 4_294_967_296 }] } };
  const answer = bench.send('PATCH', `/api/v1/namespaces/default/services/s${query}`, document, 'application/apply-patch+yaml');
  expect(answer).toMatchObject({
    status: 500,
    message: expect.stringContaining('cannot unmarshal number 4294967296 into Go value of type int32') as string,
  });
});
