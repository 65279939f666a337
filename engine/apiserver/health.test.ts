/** Checks of health as a real 1.36.3 lists them. */
import { expect, it } from 'vitest';
import { health } from './health.ts';
import { HealthTally } from './health-tally.ts';

const ask = (path: string): ReturnType<typeof health> => {
  const [plain = '', query = ''] = path.split('?');
  return health(plain, new URLSearchParams(query), new HealthTally());
};
const linesOf = (path: string): readonly string[] => String(ask(path)?.body).split('\n');

it('lists its checks', () => {
  expect(linesOf('/readyz?verbose').slice(0, 6)).toEqual([
    '[+]ping ok',
    '[+]log ok',
    '[+]etcd ok',
    '[+]etcd-readiness ok',
    '[+]informer-sync ok',
    '[+]poststarthook/start-apiserver-admission-initializer ok',
  ]);
  expect(linesOf('/readyz?verbose').slice(-3)).toEqual(['[+]shutdown ok', 'readyz check passed', '']);
  expect(linesOf('/livez?verbose').slice(0, 4)).toEqual(['[+]ping ok', '[+]log ok', '[+]loopback-serving-certificate ok', '[+]etcd ok']);
  expect([linesOf('/readyz?verbose').length, linesOf('/healthz?verbose').length]).toEqual([38, 36]);
});

it('leaves out what it is told to, and says what it does not know', () => {
  const lines = linesOf('/readyz?verbose&exclude=foo&exclude=etcd&exclude=bar');
  expect(lines).toContain('[+]etcd excluded: ok');
  expect(lines.at(-3)).toBe('warn: some health checks cannot be excluded: no matches for "bar","foo"');
});

it.each<[string, string | undefined]>([
  ['/healthz', 'ok'],
  ['/readyz/etcd?verbose', 'ok'],
  ['/readyz/shutdown', 'ok'],
  ['/livez/poststarthook/rbac/bootstrap-roles', 'ok'],
  ['/livez/shutdown', undefined],
  ['/livez/foo', undefined],
  ['/healthz/', undefined],
  ['/healthzz', undefined],
])('%s says %s', (path, said) => {
  expect(ask(path)?.body).toBe(said);
});

it('counts for /metrics/slis what all checks together said, but for those left out and for what one was asked alone', () => {
  const tally = new HealthTally();
  const ill = { name: 'etcd', check: () => 'gone' };
  const well = { name: 'ping', check: () => undefined };
  for (const [path, query] of [
    ['/readyz', ''],
    ['/readyz', 'exclude=ping'],
    ['/readyz/ping', ''],
  ] as const)
    health(path, new URLSearchParams(query), tally, [well, ill]);
  expect(
    tally
      .page(5_000)
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#')),
  ).toEqual([
    'kubernetes_healthcheck{name="etcd",type="readyz"} 0',
    'kubernetes_healthcheck{name="ping",type="readyz"} 1',
    'kubernetes_healthchecks_total{name="etcd",status="error",type="readyz"} 2',
    'kubernetes_healthchecks_total{name="ping",status="success",type="readyz"} 1',
    'process_start_time_seconds 5',
  ]);
});
