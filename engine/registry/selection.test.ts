import { expect, it } from 'vitest';
import type { KindDefinition } from '../contracts/kind.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import { makeSelection } from './selection.ts';

const ship = (name: string, state: string): KubeObject => ({ apiVersion: 'v1', kind: 'Ship', metadata: { name, labels: { state } } });
const stateOf = ({ metadata }: KubeObject): string => metadata.labels?.['state'] ?? '';
const counted = { stateOf, lookOf: (object: KubeObject) => `${stateOf(object)} ship` } as Partial<KindDefinition> as KindDefinition;

it('a state is that which the kind is counted by, beside any other selector; kinds that are not counted have none', () => {
  const named = (kind: KindDefinition, options: Parameters<typeof makeSelection>[1]): readonly string[] => {
    const selection = makeSelection({ kind }, options);
    const ships = [ship('a', 'Afloat'), ship('b', 'Sunk'), ship('c', 'Sunk')];
    return ships.filter((one) => selection.matches(one) && selection.matchesStored(one)).map(({ metadata }) => metadata.name ?? '');
  };
  expect(named(counted, { stateIs: 'Sunk' })).toEqual(['b', 'c']);
  expect(named(counted, { stateIs: 'Sunk', fieldSelector: 'metadata.name=c' })).toEqual(['c']);
  expect(named(counted, {})).toEqual(['a', 'b', 'c']);
  expect(named({} as KindDefinition, { stateIs: 'Sunk' })).toEqual([]);
  expect(named(counted, { looksLike: 'Sunk ship' })).toEqual(['b', 'c']);
  expect(named(counted, { looksLike: 'Sunk ship', stateIs: 'Afloat' })).toEqual([]);
  expect(named({} as KindDefinition, { looksLike: 'Sunk ship' })).toEqual([]);
});

it('the state of an object may be one of what is stored beside it', () => {
  const kind = {
    stateOf: (object, stored) => stored(`ports/${object.metadata.name ?? ''}`)?.kind ?? 'at sea',
  } as Partial<KindDefinition> as KindDefinition;
  const beside = (key: string): KubeObject | undefined => (key === 'ports/a' ? { apiVersion: 'v1', kind: 'Port', metadata: {} } : undefined);
  const isIn = (stateIs: string): readonly boolean[] => {
    const selection = makeSelection({ kind }, { stateIs }, undefined, beside);
    return ['a', 'b'].map((name) => selection.matches(ship(name, '')));
  };
  expect([isIn('Port'), isIn('at sea')]).toEqual([
    [true, false],
    [false, true],
  ]);
});
