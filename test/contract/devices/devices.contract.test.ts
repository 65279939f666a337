/** Claims and devices of older versions, as a real 1.36.3 reads, fills in, stores and refuses them. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { aCluster } from '../../support/cluster.ts';
import { asker } from '../seeds-client.ts';
import { type Ask, type DeviceFact, deviceCases, playDevices } from './cases.ts';

const facts = JSON.parse(readFileSync(new URL('facts.json', import.meta.url), 'utf8')) as Readonly<Record<string, DeviceFact>>;

test.each(deviceCases.map((one) => [one.name, one] as const))('%s', async (name, one) => {
  const options = { 'runtime-config': 'resource.k8s.io/v1beta1=true,resource.k8s.io/v1beta2=true' };
  const send = asker(await aCluster({ nodes: 0, options }));
  const ask: Ask = async (method, path, body) => {
    const answer = send(method, path, body === undefined ? {} : { body });
    return { code: answer.status, body: answer.body as never };
  };
  expect(await playDevices(ask, one)).toEqual(facts[name]);
});
