/** Deployments as extensions/v1beta1 had them: one pod more or less, no limit of revisions, no deadline. Mirrors pkg/apis/extensions/v1beta1. */
import type { Deployment as Stored } from '../../../api/apps/v1/types.gen.ts';
import type { Deployment, DeploymentStrategy } from '../../../api/extensions/v1beta1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { deploymentKind as stored } from '../../apps/v1/deployment.ts';
import { edit, ensure, fill, fillZero } from '../../shared/defaulting.ts';
import { defaultFromTemplate, hideRollback, showRollback, unlimited } from '../../shared/older-workloads.ts';
import { olderForm } from '../../shared/older.ts';

export const deploymentKind = defineKind<Deployment>(
  olderForm(stored, {
    group: 'extensions',
    version: 'v1beta1',
    schema: 'io.k8s.api.extensions.v1beta1.Deployment',
    deprecated: 8,
    removed: 16,
    ownScale: true,
    defaults: (object) =>
      edit(defaultFromTemplate(object), 'spec', (spec) => {
        const filled = fill(spec, { replicas: 1, revisionHistoryLimit: unlimited, progressDeadlineSeconds: unlimited });
        return ensure(filled, 'strategy', defaultStrategy);
      }),
    toStored: (object) => hideRollback(object) as Stored,
    fromStored: showRollback<Deployment>,
  }),
);

function defaultStrategy(strategy: DeploymentStrategy): DeploymentStrategy {
  const typed = fillZero(strategy, { type: 'RollingUpdate' });
  return typed.type === 'RollingUpdate' ? ensure(typed, 'rollingUpdate', (update) => fill(update, { maxUnavailable: 1, maxSurge: 1 })) : typed;
}
