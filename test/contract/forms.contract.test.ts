/** Wire forms of an object are kept with it: whoever asks next, in another form or version, gets that and no other. */
import { expect, it } from 'vitest';
import { makeApiBench } from '../support/api-bench.ts';

const json = 'application/json';
const protobuf = 'application/vnd.kubernetes.protobuf';
const spec = { maxReplicas: 3, scaleTargetRef: { kind: 'Deployment', name: 'web', apiVersion: 'apps/v1' } };
const pathOf = (version: string): string => `/apis/autoscaling/${version}/namespaces/default/horizontalpodautoscalers`;

const asked = ['v1', 'v2'].flatMap((version) =>
  [json, protobuf, 'application/yaml'].flatMap((accept) => ['', '/h'].map((item) => ({ version, accept, item }))),
);

it.each(asked)('$accept of $version $item first, then all others', (first) => {
  const bench = makeApiBench();
  expect(bench.send('POST', pathOf('v2'), { metadata: { name: 'h' }, spec }).status).toBe(201);
  for (const { version, accept, item } of [first, ...asked, first]) {
    const { status, text, bytes } = bench.send('GET', `${pathOf(version)}${item}`, undefined, json, accept);
    expect(status).toBe(200);
    const shown = accept === protobuf ? new TextDecoder().decode(bytes) : text;
    expect(shown.startsWith(accept === protobuf ? 'k8s\0' : accept === json ? '{' : 'apiVersion: '), `${accept} ${version}`).toBe(true);
    expect(accept === protobuf ? shown.slice(0, 40) : shown).toContain(`autoscaling/${version}`);
    if (accept !== protobuf) expect(shown.includes('averageUtilization')).toBe(version === 'v2');
    expect(shown).toContain('Deployment');
  }
});

it('metadata of kinds that have no protobuf are watched in protobuf all the same, as garbage collectors watch everything', () => {
  const bench = makeApiBench();
  const path = '/apis/sim.wavetank.dev/v1alpha1/nodepools';
  expect(
    bench.send('POST', path, { apiVersion: 'sim.wavetank.dev/v1alpha1', kind: 'NodePool', metadata: { name: 'own' }, spec: { count: 1 } }).status,
  ).toBe(201);
  const partial = `${protobuf};as=PartialObjectMetadata;g=meta.k8s.io;v=v1`;
  const { status, bytes } = bench.send('GET', `${path}?watch=true`, undefined, json, partial);
  expect(status).toBe(200);
  expect(new TextDecoder().decode(bytes)).toContain('own');
  expect(bench.send('GET', `${path}?watch=true`, undefined, json, protobuf).status).toBe(406);
});
