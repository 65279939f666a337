/** Pods that meet pod presets, as a real 1.13.12 makes them (pod-presets.json, written by record-presets.ts). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { aCluster } from '../../support/cluster.ts';
import { asker, type Ask } from '../seeds-client.ts';
import { bad, pods, presets } from './pod-presets.ts';

interface Spec {
  readonly volumes?: object;
  readonly containers: readonly { readonly env?: readonly { readonly name: string }[]; readonly envFrom?: object; readonly volumeMounts?: object }[];
  readonly initContainers?: Spec['containers'];
}

const facts = JSON.parse(readFileSync(join(import.meta.dirname, 'pod-presets.json'), 'utf8')) as { readonly [name: string]: unknown };
const namespaced = '/apis/settings.k8s.io/v1alpha1/namespaces/default/podpresets';
let ask: Ask;

beforeAll(async () => {
  const made = await aCluster({
    seed: 1,
    nodes: 0,
    release: '1.13',
    options: { 'enable-admission-plugins': 'PodPreset', 'runtime-config': 'api/all=true' },
  });
  await made.advance(5000);
  ask = asker(made);
  for (const body of presets) ask('POST', namespaced, { body });
});

describe('pod presets of release 1.13', () => {
  it.each(Object.entries(pods))('%s', (name, body) => {
    const { metadata, spec } = ask('POST', '/api/v1/namespaces/default/pods', { body }).body as unknown as {
      readonly metadata: { readonly annotations?: object };
      readonly spec: Spec;
    };
    ask('DELETE', '/api/v1/namespaces/default/pods/p', { body: { gracePeriodSeconds: 0 } });
    const fact = facts[name] as { readonly annotations: readonly string[]; readonly spec: Spec };
    expect({ annotations: Object.keys(metadata.annotations ?? {}), ...brought(spec) }).toEqual({
      annotations: fact.annotations,
      ...brought(fact.spec),
    });
  });

  it.each(Object.entries(bad))('%s is refused', (name, body) => {
    expect(ask('POST', namespaced, { body }).body['message']).toEqual(facts[name]);
  });
});

/** Upstream takes presets in any order. */
function brought({ volumes, containers, initContainers = [] }: Spec): object {
  return {
    volumes,
    all: [...initContainers, ...containers].map(({ env, envFrom, volumeMounts }) => ({
      env: [...(env ?? [])].sort((a, b) => (a.name < b.name ? -1 : 1)),
      envFrom,
      volumeMounts,
    })),
  };
}
