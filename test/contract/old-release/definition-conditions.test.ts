/** A definition that is served has no time of when it began to be: a real 1.13.12 writes the new condition's empty one over that of the old. */
import { expect, test } from 'vitest';
import { aCluster } from '../../support/cluster.ts';

const names = { plural: 'foos', singular: 'foo', kind: 'Foo' };
const definitions = '/apis/apiextensions.k8s.io/v1beta1/customresourcedefinitions';

interface Definition {
  readonly status: {
    readonly conditions: readonly { readonly type: string; readonly status: string; readonly lastTransitionTime?: string | null }[];
  };
}

test('conditions of a definition in release 1.13', async () => {
  const tank = await aCluster({ nodes: 0, release: '1.13' });
  const spec = { group: 'example.com', version: 'v1', scope: 'Namespaced', names };
  tank.call('POST', definitions, {
    apiVersion: 'apiextensions.k8s.io/v1beta1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'foos.example.com' },
    spec,
  });
  await tank.advance(2_000);
  const { status } = tank.call<Definition>('GET', `${definitions}/foos.example.com`);
  expect(status.conditions.map(({ type, status: said, lastTransitionTime }) => [type, said, typeof lastTransitionTime])).toEqual([
    ['NamesAccepted', 'True', 'string'],
    ['Established', 'True', 'object'],
  ]);
});
