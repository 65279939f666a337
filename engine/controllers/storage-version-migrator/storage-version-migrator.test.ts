import { beforeEach, expect, it } from 'vitest';
import type { CustomResourceDefinition } from '../../api/apiextensions/v1/types.gen.ts';
import type { StorageVersionMigration } from '../../api/storagemigration/v1beta1/types.gen.ts';
import { newForbidden, newTooManyRequests } from '../../apimachinery/errors.ts';
import { configMaps, resourceType } from '../../client/resources.ts';
import { ControllerBench } from '../testing/controller-bench.ts';
import { storageVersionMigratorController } from './controller.ts';

const group = 'storagemigration.k8s.io';
const migrations = resourceType<StorageVersionMigration>(group, 'v1beta1', 'storageversionmigrations', 'StorageVersionMigration', false);
const definitions = resourceType<CustomResourceDefinition>(
  'apiextensions.k8s.io',
  'v1',
  'customresourcedefinitions',
  'CustomResourceDefinition',
  false,
);
let bench: ControllerBench;

beforeEach(async () => {
  bench = new ControllerBench();
  bench.deletable = [configMaps];
  const user = bench.client('user');
  const object = { kind: 'ConfigMap', apiVersion: 'v1', data: { key: 'value' } };
  const made = ['a', 'b'].map((name) => user.create(configMaps, { ...object, metadata: { namespace: 'default', name } }));
  await bench.settle();
  await Promise.all(made);
  bench.writes.length = 0;
});

function addMigration(name: string, resource = 'configmaps', ofGroup = ''): void {
  bench.add(migrations, { metadata: { name }, spec: { resource: { group: ofGroup, resource } } });
}

const conditionsOf = (name: string) =>
  (bench.get(migrations, undefined, name)?.status?.conditions ?? []).map(
    ({ type, status, reason, message }) => `${type}=${status} ${reason}: ${message}`,
  );
const migrated = ['Running=False MigrationCompleted: Migration completed', 'Succeeded=True StorageVersionMigrationSucceeded: '];

it('applies nothing to every object, tells each step and leaves the objects as they were', async () => {
  addMigration('m');
  const before = bench.get(configMaps, 'default', 'a');
  await bench.run(storageVersionMigratorController);
  expect(conditionsOf('m')).toEqual(migrated);
  expect(bench.get(migrations, undefined, 'm')?.status?.resourceVersion).toMatch(/^\d+$/);
  expect(bench.writeTexts().filter((text) => text.includes('configmaps'))).toEqual(['patch configmaps default/a', 'patch configmaps default/b']);
  expect(bench.get(configMaps, 'default', 'a')?.metadata.resourceVersion).toBe(before?.metadata.resourceVersion);
  const writes = bench.writes.length;
  await bench.advance(3_600_000);
  expect(bench.writes).toHaveLength(writes);
});

it('one after the other, the oldest first', async () => {
  addMigration('z-first');
  await bench.advance(2000);
  addMigration('a-second');
  await bench.run(storageVersionMigratorController);
  const promoted = bench.writes.filter(({ body }) => JSON.stringify(body).includes('The migration is running')).map(({ name }) => name);
  expect([...new Set(promoted)]).toEqual(['z-first', 'a-second']);
  expect(conditionsOf('a-second')).toEqual(migrated);
});

it('a resource that there is not fails after a minute', async () => {
  addMigration('m', 'widgets', 'example.com');
  await bench.run(storageVersionMigratorController);
  await bench.advance(50_000);
  expect(conditionsOf('m')).toEqual(['Running=True MigrationRunning: The migration is running']);
  await bench.advance(120_000);
  expect(conditionsOf('m')).toEqual([
    'Running=False MigrationCompleted: Migration completed',
    'Failed=True StorageVersionMigrationFailed: resource does not exist in discovery',
  ]);
});

it('a busy server is asked again, a refusal ends the migration', async () => {
  addMigration('m');
  let asked = 0;
  bench.refuse = ({ resource, verb }) => {
    if (resource === 'configmaps' && verb === 'patch' && ++asked === 1) throw newTooManyRequests('busy', 1);
  };
  await bench.run(storageVersionMigratorController);
  await bench.advance(2000);
  expect(conditionsOf('m')).toEqual(migrated);
  bench.refuse = ({ resource, verb }) => {
    if (resource === 'configmaps' && verb === 'patch') throw newForbidden({ group: '', resource: 'configmaps' }, 'a', 'not you');
  };
  addMigration('n');
  await bench.advance(2000);
  expect(conditionsOf('n')[1]).toBe(
    'Failed=True StorageVersionMigrationFailed: migration encountered unhandled error: configmaps "a" is forbidden: not you',
  );
});

it('a custom resource definition is told, and forgets the versions that are stored no more', async () => {
  const widgets = resourceType('example.com', 'v1', 'widgets', 'Widget');
  const schema = { openAPIV3Schema: { type: 'object' } };
  bench.add(definitions, {
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'widgets', kind: 'Widget' },
      versions: [
        { name: 'v1beta1', served: true, storage: false, schema },
        { name: 'v1', served: true, storage: true, schema },
      ],
    },
    status: { storedVersions: ['v1beta1', 'v1'] },
  });
  bench.deletable = [widgets];
  addMigration('m', 'widgets', 'example.com');
  await bench.run(storageVersionMigratorController);
  expect(bench.writeTexts()).toContain('patch customresourcedefinitions/status widgets.example.com');
  expect(bench.get(definitions, undefined, 'widgets.example.com')?.status?.conditions?.[0]).toMatchObject({
    type: 'StorageMigrating',
    status: 'True',
    reason: 'MigrationRunning',
    message: 'Migration m is running',
  });
});
