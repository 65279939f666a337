/** Refusals that every release has: as real servers of 1.13.12 and 1.36.3 answer, by their source. */
import { describe, expect, it } from 'vitest';
import { aCluster } from '../../support/cluster.ts';

interface Refusal {
  readonly message?: string;
}

describe.each(['1.13', '1.36'])('release %s', (release) => {
  it('judges what is asked of logs before it looks for the pod', async () => {
    const tank = await aCluster({ nodes: 0, release });
    const { status, object } = tank.ask<Refusal>('GET', '/api/v1/namespaces/default/pods/absent/log?sinceSeconds=-5&tailLines=-1');
    expect(status).toBe(422);
    expect(object.message).toBe(
      'PodLogOptions "absent" is invalid: [tailLines: Invalid value: -1: must be greater than or equal to 0, sinceSeconds: Invalid value: -5: must be greater than 0]',
    );
  });

  it('keeps the priority classes of the system, unless all are deleted', async () => {
    const tank = await aCluster({ nodes: 0, release });
    const classes = `/apis/scheduling.k8s.io/${release === '1.13' ? 'v1beta1' : 'v1'}/priorityclasses`;
    const { status, object } = tank.ask<Refusal>('DELETE', `${classes}/system-node-critical`);
    expect([status, object.message]).toEqual([
      403,
      'priorityclasses.scheduling.k8s.io "system-node-critical" is forbidden: this is a system priority class and cannot be deleted',
    ]);
    expect(tank.ask('DELETE', classes).status).toBe(200);
    expect(tank.ask('GET', `${classes}/system-node-critical`).status).toBe(404);
  });

  it('tells all that is wrong with a binding', async () => {
    const tank = await aCluster({ nodes: 0, release });
    const body = { apiVersion: 'v1', kind: 'Binding', metadata: { name: 'p' }, target: { kind: 'Pod', name: '' } };
    const { status, object } = tank.ask<Refusal>('POST', '/api/v1/namespaces/default/pods/p/binding', body);
    expect([status, object.message]).toEqual([
      500,
      '[target.kind: Unsupported value: "Pod": supported values: "Node", "<empty>", target.name: Required value]',
    ]);
  });
});
