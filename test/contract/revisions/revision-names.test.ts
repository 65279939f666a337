/** Names of ControllerRevisions as the kube-controller-manager 1.36.3 gives them: recorded as in `pod-template-hash.test.ts`. */
import { describe, expect, it } from 'vitest';
import type { ControllerRevision } from '../../../engine/api/apps/v1/types.gen.ts';
import { aCluster } from '../../support/cluster.ts';
import facts from './pod-template-hashes.json' with { type: 'json' };

const kinds = [
  {
    kind: 'StatefulSet',
    fact: 'statefulSet',
    resource: 'statefulsets',
    label: 'controller.kubernetes.io/hash',
    spec: { replicas: 0, serviceName: 'x' },
  },
  { kind: 'DaemonSet', fact: 'daemonSet', resource: 'daemonsets', label: 'controller-revision-hash', spec: {} },
] as const;

describe('the revision of a template', () => {
  it.each(kinds)('is named as upstream names it for a $kind', async ({ kind, fact, resource, label, spec }) => {
    const { call, advance, cluster } = await aCluster({ nodes: 0 });
    for (const { template } of facts) {
      const { app } = template.metadata.labels;
      const object = { apiVersion: 'apps/v1', kind, metadata: { name: app }, spec: { ...spec, selector: { matchLabels: { app } }, template } };
      call('POST', `/apis/apps/v1/namespaces/default/${resource}`, object);
    }
    await advance(30_000);
    const made = cluster.stored('controllerrevisions') as ControllerRevision[];
    const hashes = new Map(made.map(({ metadata }) => [metadata.ownerReferences?.[0]?.name, metadata.labels?.[label]]));
    const known = facts.filter(({ revision }) => revision[fact] !== undefined);
    const ours = known.map(({ name, template }) => ({ name, hash: hashes.get(template.metadata.labels.app) }));
    expect(ours).toEqual(known.map(({ name, revision }) => ({ name, hash: revision[fact] })));
  });
});
