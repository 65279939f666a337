/**
 * The rollback that clients of old releases ask for, which is kept as an annotation. Mirrors rollback.go of pkg/controller/deployment.
 */
import type { Deployment, ReplicaSet } from '../../api/apps/v1/types.gen.ts';
import { equalTemplates, hashLabel } from './arithmetic.ts';
import { withMeta } from '../../component-helpers/meta.ts';
import { copiedAnnotations, lastRevision, revisionOf, uncopiedAnnotations } from './revision.ts';

const annotation = 'deprecated.deployment.rollback.to';

export interface Rollback {
  /** As it should be written: the annotation is gone in any case. */
  readonly deployment: Deployment;
  readonly event: { readonly type: 'Normal' | 'Warning'; readonly reason: string; readonly message: string };
}

/** The revision that is asked for, 0 for the last one; undefined when none is. */
export function rollbackRevision({ metadata }: Deployment): bigint | undefined {
  const text = metadata.annotations?.[annotation];
  return text !== undefined && /^[+-]?\d+$/.test(text) ? BigInt(text.replace('+', '')) : undefined;
}

/** The deployment with the template and the annotations of that revision's ReplicaSet, or why there is none. */
export function rolledBack(deployment: Deployment, replicaSets: readonly ReplicaSet[], asked: bigint): Rollback {
  const revision = asked === 0n ? lastRevision(replicaSets) : asked;
  if (revision === 0n) return refused(deployment, 'DeploymentRollbackRevisionNotFound', 'Unable to find last revision.');
  const target = replicaSets.find((replicaSet) => revisionOf(replicaSet) === revision);
  const { name } = deployment.metadata;
  const template = target?.spec?.template;
  if (target === undefined || template === undefined)
    return refused(deployment, 'DeploymentRollbackRevisionNotFound', 'Unable to find the revision to rollback to.');
  if (equalTemplates(deployment.spec?.template, template))
    return refused(
      deployment,
      'DeploymentRollbackTemplateUnchanged',
      `The rollback revision contains the same template as current deployment "${name}"`,
    );
  const { [hashLabel]: _hash, ...labels } = template.metadata?.labels ?? {};
  const annotations = { ...uncopiedAnnotations(deployment.metadata.annotations), ...copiedAnnotations(target.metadata.annotations) };
  const back = { ...deployment, metadata: withMeta(deployment.metadata, { annotations }) };
  return {
    deployment: cleared({
      ...back,
      spec: { ...deployment.spec, template: { ...template, metadata: { ...template.metadata, labels } } },
    } as Deployment),
    event: { type: 'Normal', reason: 'DeploymentRollback', message: `Rolled back deployment "${name}" to revision ${revision}` },
  };
}

function refused(deployment: Deployment, reason: string, message: string): Rollback {
  return { deployment: cleared(deployment), event: { type: 'Warning', reason, message } };
}

function cleared(deployment: Deployment): Deployment {
  const { [annotation]: _asked, ...annotations } = deployment.metadata.annotations ?? {};
  return { ...deployment, metadata: withMeta(deployment.metadata, { annotations }) };
}
