/** Daemon sets as apps/v1beta2 had them; stored as apps/v1, which has the same fields. */
import type { DaemonSet } from '../../../api/apps/v1beta2/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { olderForm } from '../../shared/older.ts';
import { daemonSetKind as stored } from '../v1/daemon-set.ts';

export const daemonSetKind = defineKind<DaemonSet>(
  olderForm(stored, {
    group: 'apps',
    version: 'v1beta2',
    schema: 'io.k8s.api.apps.v1beta2.DaemonSet',
    deprecated: 9,
    removed: 16,
  }),
);
