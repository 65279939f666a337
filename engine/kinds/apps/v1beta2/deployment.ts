/** Deployments as apps/v1beta2 had them; stored as apps/v1, which has the same fields. */
import type { Deployment } from '../../../api/apps/v1beta2/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { olderForm } from '../../shared/older.ts';
import { deploymentKind as stored } from '../v1/deployment.ts';

export const deploymentKind = defineKind<Deployment>(
  olderForm(stored, {
    group: 'apps',
    version: 'v1beta2',
    schema: 'io.k8s.api.apps.v1beta2.Deployment',
    deprecated: 9,
    removed: 16,
    ownScale: true,
  }),
);
