/** Whose certificate a webhook in a simulated pod shows: that of the Secret that it has mounted, judged as Go's client judges one. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { certificateJudge } from '../../../engine/serving/x509/certificate-judge.ts';
import { aCluster, type TestCluster } from '../../support/cluster.ts';
import { replayInputs } from '../../support/replay.ts';
import { hook } from './cases.ts';

interface Trial {
  readonly what: string;
  readonly chain: string;
  readonly authorities: string;
  readonly nowMs: number;
}

const trials = JSON.parse(readFileSync(new URL('../certificates/servers.json', import.meta.url), 'utf8')) as readonly Trial[];
const trial = (wanted: string): Trial => trials.find(({ what }) => what === wanted) as Trial;
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const right = trial('right');
const minuteMs = 60_000;
const maps = '/api/v1/namespaces/default/configmaps';
const url = 'https://hook.default.svc:443/configmaps?timeout=10s';
const failed = `Internal error occurred: failed calling webhook "x.hooks.example.com": failed to call webhook: Post "${url}": tls: failed to verify certificate: x509: `;

async function guarded(
  shown: Trial,
  { caBundle = shown.authorities, image = 'registry.k8s.io/e2e-test-images/agnhost:2.56', startMs = right.nowMs } = {},
): Promise<TestCluster> {
  const tank = await aCluster({ nodes: 1, seed: 11, startMs }, { certificateJudge });
  show(tank, shown);
  const container = {
    name: 'c',
    image,
    args: ['webhook', '--port=8444'],
    ports: [{ containerPort: 8444 }],
    volumeMounts: [{ name: 'certs', mountPath: '/certs' }],
  };
  tank.call('POST', '/api/v1/namespaces/default/pods', {
    metadata: { name: 'hook', labels: { app: 'hook' } },
    spec: { containers: [container], volumes: [{ name: 'certs', secret: { secretName: 'certs' } }] },
  });
  const ports = [{ port: 443, targetPort: 8444 }];
  tank.call('POST', '/api/v1/namespaces/default/services', { metadata: { name: 'hook' }, spec: { selector: { app: 'hook' }, ports } });
  await tank.advance(30_000);
  const webhook = {
    ...hook('/x'),
    namespaceSelector: {},
    clientConfig: {
      service: { namespace: 'default', name: 'hook', path: '/configmaps' },
      ...(caBundle === '' ? {} : { caBundle: base64(caBundle) }),
    },
    rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
  };
  tank.call('POST', '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations', { metadata: { name: 'w' }, webhooks: [webhook] });
  return tank;
}

function show(tank: TestCluster, { chain }: Trial): void {
  const secret = { metadata: { name: 'certs' }, type: 'kubernetes.io/tls', data: { 'tls.crt': base64(chain), 'tls.key': base64('key') } };
  const path = '/api/v1/namespaces/default/secrets';
  if (tank.ask('POST', path, secret).status === 409) tank.call('PUT', `${path}/certs`, secret);
}

const said = (tank: TestCluster): string => tank.ask('POST', maps, { metadata: { generateName: 'm-' }, data: {} }).object.message ?? '';

test('is right where the bundle of its configuration vouches for it', async () => {
  expect(said(await guarded(right))).toBe('');
});

test.each([
  ['another authority', { caBundle: trial('another authority').authorities }, 'certificate signed by unknown authority'],
  [
    'an authority that was made anew under its name',
    { caBundle: trial('another authority of that name').authorities },
    'certificate signed by unknown authority (possibly because of "x509: ECDSA verification failure" while trying to verify candidate authority certificate "ca")',
  ],
  ['no bundle', { caBundle: '' }, 'certificate signed by unknown authority'],
  ['an image that nobody described, and no bundle', { caBundle: '', image: 'example.com/policy:1' }, 'certificate signed by unknown authority'],
  [
    'an image that nobody described, and another authority',
    { caBundle: trial('another authority').authorities, image: 'example.com/policy:1' },
    'certificate signed by unknown authority',
  ],
])('is refused by %s', async (_what, options, why) => {
  expect(said(await guarded(right, options))).toBe(failed + why);
});

test('of another Service is refused, until the Secret is renewed and the kubelet has seen it', async () => {
  const wrong = trial('of another name');
  const tank = await guarded(wrong);
  expect(said(tank)).toBe(`${failed}certificate is valid for other.default.svc, b, not hook.default.svc`);
  show(tank, right);
  await tank.advance(2 * minuteMs);
  expect(said(tank)).toBe('');
  const again = await aCluster({ nodes: 1, seed: 11, startMs: right.nowMs }, { certificateJudge });
  await replayInputs(again, tank.inputs, tank.cluster.loop.nowMs());
  expect(again.cluster.digest).toBe(tank.cluster.digest);
});

test('is no longer believed when it has expired by the clock of the cluster', async () => {
  const expiring = trial('expired');
  const [, until = ''] = /is after (\S+)/.exec((expiring as Trial & { readonly fault: string }).fault) ?? [];
  const tank = await guarded(expiring, { startMs: Date.parse(until) - 10 * minuteMs });
  expect(said(tank)).toBe('');
  await tank.advance(20 * minuteMs);
  expect(said(tank)).toMatch(/x509: certificate has expired or is not yet valid: current time \S+ is after /);
});

test('without alternative names is refused, and counted', async () => {
  const tank = await guarded(trial('with a common name alone'));
  const missing = (): string | undefined =>
    /^apiserver_webhooks_x509_missing_san_total (\d+)$/m.exec(tank.ask('GET', '/metrics').object.message ?? '')?.[1];
  expect(missing()).toBe('0');
  expect(said(tank)).toBe(`${failed}certificate relies on legacy Common Name field, use SANs instead`);
  expect(missing()).toBe('1');
});
