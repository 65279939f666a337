/** What nobody writes on purpose, or only to break a page: each accepted by the API server. */
import { type Api, pass } from '../tasks/world.ts';

/** Letters that change the direction of text, that draw nothing, and that end lines. */
export const odd = '\u202Eevil\u202C \u200Bzero\u0007bell\u001B[31m <img src=x onerror=alert(1)> 𝕌🏴‍☠️ \r\n\ttab';
/** As long as a name may be. */
export const longName = `l${'o'.repeat(240)}ng`;
const annotationBytes = 256 * 1024 - 64;
const labelsCount = 2000;

export async function playHostile(api: Api): Promise<void> {
  const { call } = api;
  const pods = '/api/v1/namespaces/default/pods';
  const maps = '/api/v1/namespaces/default/configmaps';
  const sleeps = { containers: [{ name: 'c', image: 'busybox', command: ['sh', '-c', `echo '${odd.replaceAll("'", '')}'; sleep 1000000`] }] };
  await call('POST', pods, { metadata: { name: 'orphan', annotations: { note: odd } }, spec: sleeps });
  await call('POST', pods, { metadata: { name: longName }, spec: sleeps });
  await call('POST', pods, {
    metadata: { name: 'a'.repeat(63), labels: { app: 'x'.repeat(63) } },
    spec: { ...sleeps, nodeSelector: { [`${'k'.repeat(60)}/${'n'.repeat(60)}`]: 'v'.repeat(63) } },
  });
  await call('POST', maps, { metadata: { name: 'large', annotations: { large: 'x'.repeat(annotationBytes) } } });
  await call('POST', maps, { metadata: { name: 'odd', annotations: { [`odd.example/${'n'.repeat(60)}`]: odd } }, data: { text: odd } });
  await call('POST', maps, {
    metadata: { name: 'labels', labels: Object.fromEntries(Array.from({ length: labelsCount }, (_, i) => [`label-${i}`, `value-${i}`])) },
  });
  const lost = [{ apiVersion: 'v1', kind: 'Nothing', name: 'gone', uid: '00000000-0000-0000-0000-000000000000' }];
  await call('POST', maps, { metadata: { name: 'owned-by-nothing', ownerReferences: lost } });
  const event = (name: string, time: string): object => ({
    metadata: { name },
    involvedObject: { kind: 'Pod', namespace: 'default', name: 'orphan', apiVersion: 'v1' },
    reason: 'Odd',
    message: odd,
    type: 'Warning',
    count: 2_000_000_000,
    firstTimestamp: time,
    lastTimestamp: time,
  });
  await call('POST', '/api/v1/namespaces/default/events', event('past', '0001-01-01T00:00:00Z'));
  await call('POST', '/api/v1/namespaces/default/events', event('future', '9999-12-31T23:59:59Z'));
  await call('POST', '/apis/batch/v1/namespaces/default/cronjobs', {
    metadata: { name: 'never' },
    spec: { schedule: '0 0 30 2 *', jobTemplate: { spec: { template: { spec: { restartPolicy: 'Never', ...sleeps } } } } },
  });
  await pass(api, '2m');
  await call('DELETE', `${maps}/owned-by-nothing`).catch(() => undefined);
  await pass(api, '10s');
}
