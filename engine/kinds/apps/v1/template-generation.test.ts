import { describe, expect, it } from 'vitest';
import type { DaemonSet } from '../../../api/apps/v1/types.gen.ts';
import { aCluster } from '../../../../test/support/cluster.ts';
import { generationAnnotation } from './template-generation.ts';

const path = '/apis/apps/v1/namespaces/default/daemonsets';
const labels = { app: 'agent' };
// In an order that is not that of the schema, with what stands behind defaults.
const template = { spec: { nodeSelector: { disk: 'ssd' }, containers: [{ name: 'c', image: 'agent:1' }] }, metadata: { labels } };
const set = { apiVersion: 'apps/v1', kind: 'DaemonSet', metadata: { name: 'agent' }, spec: { selector: { matchLabels: labels }, template } };

async function alone() {
  const { call } = await aCluster({ nodes: 0, options: { controllers: '-*' } });
  const told = (object: unknown): string | undefined => (object as DaemonSet).metadata.annotations?.[generationAnnotation];
  const owners = (object: unknown): readonly (string | undefined)[] =>
    ((object as DaemonSet).metadata.managedFields ?? [])
      .filter(({ fieldsV1 }) => JSON.stringify(fieldsV1).includes(`f:${generationAnnotation}`))
      .map(({ manager }) => manager);
  return { call, told, owners };
}

// As a real kube-apiserver 1.36.3 answered.
describe('the generation of the template of a DaemonSet', () => {
  it('is owned by who creates it, though nothing was said of it', async () => {
    const { call, told, owners } = await alone();
    const made = call('POST', `${path}?fieldManager=one`, set);
    expect(told(made)).toBe('1');
    expect(owners(made)).toEqual(['one']);
  });

  it('is owned by who replaces the set without it, and stays as long as the template means the same', async () => {
    const { call, told, owners } = await alone();
    call('POST', `${path}?fieldManager=one`, set);
    const same = call('PUT', `${path}/agent?fieldManager=two`, set);
    expect(told(same)).toBe('1');
    expect(owners(same)).toEqual(['two']);
    const changed = { ...set, spec: { ...set.spec, template: { ...template, spec: { containers: [{ name: 'c', image: 'agent:2' }] } } } };
    expect(told(call('PUT', `${path}/agent`, changed))).toBe('2');
  });

  it('does not change with the status', async () => {
    const { call, told } = await alone();
    call('POST', path, set);
    expect(told(call('PUT', `${path}/agent/status`, { ...set, status: { numberReady: 0 } }))).toBe('1');
  });
});
