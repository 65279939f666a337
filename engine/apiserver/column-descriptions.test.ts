import { expect, test } from 'vitest';
import { readTypes } from '../host/type-files.ts';
import { kinds } from '../kinds/index.gen.ts';
import { columnDescriptions } from './column-descriptions.ts';
import { columnFields } from './column-fields.ts';
import { Descriptions } from './openapi/descriptions.ts';

const describe = columnDescriptions(new Descriptions(readTypes));

test('every column that is described is one of its kind', () => {
  const unknown = Object.entries(columnFields).flatMap(([name, columns]) => {
    const found = kinds.filter(({ kind, group }) => name === (group === '' ? kind : `${kind}.${group}`));
    const printed = new Set(found.flatMap(({ columns: all = [] }) => all.map((column) => column.name)));
    return Object.keys(columns).flatMap((column) => (printed.has(column) ? [] : [`${name} ${column}`]));
  });
  expect(unknown).toEqual([]);
});

test('they have the words of the fields that they show', () => {
  const said = (kind: string, column: string): string => describe(kind, column).slice(0, 30);
  expect(said('PersistentVolumeClaim', 'Volume')).toBe('volumeName is the binding refe');
  expect(said('Event', 'Reason')).toBe('This should be a short, machin');
  expect([said('Made', 'Name'), said('Made', 'Created At')]).toEqual(['Name must be unique within a n', 'CreationTimestamp is a timesta']);
  expect([describe('Pod', 'Ready'), describe('Made', 'Up'), describe('__proto__', 'constructor')]).toEqual(['', '', '']);
});

test('nothing is said where the words are not installed', () => {
  expect(columnDescriptions(new Descriptions(() => undefined))('Event', 'Reason')).toBe('');
});
