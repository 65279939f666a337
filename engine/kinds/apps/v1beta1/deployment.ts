/** Deployments as apps/v1beta1 had them: two old revisions are kept, the selector comes from the template. Mirrors pkg/apis/apps/v1beta1. */
import type { Deployment as Stored } from '../../../api/apps/v1/types.gen.ts';
import type { Deployment } from '../../../api/apps/v1beta1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { edit, fill } from '../../shared/defaulting.ts';
import { defaultFromTemplate, hideRollback, showRollback } from '../../shared/older-workloads.ts';
import { olderForm } from '../../shared/older.ts';
import { deploymentKind as stored } from '../v1/deployment.ts';

export const deploymentKind = defineKind<Deployment>(
  olderForm(stored, {
    group: 'apps',
    version: 'v1beta1',
    schema: 'io.k8s.api.apps.v1beta1.Deployment',
    deprecated: 8,
    removed: 16,
    ownScale: true,
    defaults: (object) => edit(defaultFromTemplate(object), 'spec', (spec) => fill(spec, { revisionHistoryLimit: 2 })),
    toStored: (object) => hideRollback(object) as Stored,
    fromStored: showRollback<Deployment>,
  }),
);
