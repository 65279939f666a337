/** States of a StorageVersionMigration. Mirrors util.go and migrationrunner.go of pkg/controller/storageversionmigrator. */
import type { Condition } from '../../api/meta/v1/types.gen.ts';
import type { StorageVersionMigration } from '../../api/storagemigration/v1beta1/types.gen.ts';
import { formatTime } from '../../apimachinery/time.ts';

type Migration = StorageVersionMigration;

export function isTrue({ status }: Migration, type: string): boolean {
  return (status?.conditions ?? []).some((condition) => condition.type === type && condition.status === 'True');
}

export function isDone(migration: Migration): boolean {
  return isTrue(migration, 'Succeeded') || isTrue(migration, 'Failed');
}

/** With a condition that is not there yet; one that is stays as it is. */
export function withCondition(migration: Migration, type: string, reason: string, message: string, nowMs: number): Migration {
  const conditions = migration.status?.conditions ?? [];
  if (conditions.some((condition) => condition.type === type)) return migration;
  const added: Condition = { type, status: 'True', lastTransitionTime: formatTime(nowMs), reason, message };
  return { ...migration, status: { ...migration.status, conditions: [...conditions, added] } };
}

/** It runs no more. */
export function withoutRunning(migration: Migration, nowMs: number): Migration {
  const { generation } = migration.metadata;
  const conditions = (migration.status?.conditions ?? []).map(
    (condition): Condition =>
      condition.type !== 'Running'
        ? condition
        : {
            type: 'Running',
            status: 'False',
            ...(generation === undefined ? {} : { observedGeneration: generation }),
            lastTransitionTime: formatTime(nowMs),
            reason: 'MigrationCompleted',
            message: 'Migration completed',
          },
  );
  return { ...migration, status: { ...migration.status, conditions } };
}

/** The migration that is to begin, of those of one resource: the oldest, when none runs; and those that are over and still marked as running. */
export function nextOf(migrations: readonly Migration[]): { readonly ended: readonly Migration[]; readonly next: Migration | undefined } {
  const running = migrations.filter((migration) => isTrue(migration, 'Running'));
  const ended = running.filter(isDone);
  const waiting = migrations.filter((migration) => !isTrue(migration, 'Running') && !isDone(migration));
  const [oldest] = waiting.sort((a, b) => (age(a) < age(b) ? -1 : 1));
  return { ended, next: running.length > ended.length ? undefined : oldest };
}

function age({ metadata }: Migration): string {
  return `${metadata.creationTimestamp} ${metadata.name}`;
}
