import { expect, test } from 'vitest';
import { readTypes } from '../host/type-files.ts';
import { kinds } from '../kinds/index.gen.ts';
import { scaleTable } from '../registry/scale.ts';
import { columnDescriptions } from './column-descriptions.ts';
import { columnFields } from './column-fields.ts';
import { Descriptions } from './openapi/descriptions.ts';

const describe = columnDescriptions(new Descriptions(readTypes, ['kubernetes-models', 'kubernetes-types']));

test('every column that is described is one of its kind', () => {
  const unknown = Object.entries(columnFields).flatMap(([name, columns]) => {
    const found = kinds.filter(({ kind, group }) => name === (group === '' ? kind : `${kind}.${group}`));
    const all = name === 'Scale.autoscaling' ? (scaleTable.columns ?? []) : found.flatMap(({ columns: own = [] }) => own);
    const printed = new Set(all.map((column) => column.name));
    return Object.keys(columns).flatMap((column) => (printed.has(column) ? [] : [`${name} ${column}`]));
  });
  expect(unknown).toEqual([]);
});

test('they have the words of the fields that they show', () => {
  const said = (kind: string, column: string): string => describe(kind, column).slice(0, 30);
  expect(said('PersistentVolumeClaim', 'Volume')).toBe('volumeName is the binding refe');
  expect(describe('PersistentVolumeClaim', 'Status')).toBe('phase represents the current phase of PersistentVolumeClaim.');
  expect(said('Event', 'Reason')).toBe('This should be a short, machin');
  expect([said('Made', 'Name'), said('Made', 'Created At')]).toEqual(['Name must be unique within a n', 'CreationTimestamp is a timesta']);
  expect([describe('Pod', 'Ready'), describe('Made', 'Up'), describe('__proto__', 'constructor')]).toEqual(['', '', '']);
});

/** Their prose is that of types which no installed package has, or upstream says nothing either. */
const undescribed = [
  'LeaseCandidate BinaryVersion',
  'LeaseCandidate EmulationVersion',
  'PodCertificateRequest SignerName',
  'PodCertificateRequest UnverifiedUserAnnotations',
  'RuntimeClass Handler',
];

test('every column of a kind that 1.36 serves is described, but for those whose words are nowhere', () => {
  const own = ['federation', 'extensions', 'policy/v1beta1', 'sim.wavetank.dev', 'snapshot.storage.k8s.io'];
  const served = kinds.filter(({ group, version }) => !own.includes(group) && !own.includes(`${group}/${version}`));
  const silent = served.flatMap(({ kind, group, columns = [] }) =>
    columns
      .filter(({ name, description }) => (description ?? describe(group === '' ? kind : `${kind}.${group}`, name)) === '')
      .map(({ name }) => `${kind} ${name}`),
  );
  expect([...new Set(silent)].sort()).toEqual(undescribed);
});

test('nothing is said where the words are not installed', () => {
  expect(columnDescriptions(new Descriptions(() => undefined, []))('Event', 'Reason')).toBe('');
});
