/** Defaults of replication controllers: labels and selector follow the template. Mirrors SetDefaults_ReplicationController. */
import type { ReplicationController } from '../../../api/core/v1/types.gen.ts';
import { edit, fill } from '../../shared/defaulting.ts';
import { defaultPodTemplate } from './pod-defaults.ts';

const defaults = Object.freeze({ replicas: 1 });

function isEmpty(map: object | undefined): boolean {
  return map === undefined || Object.keys(map).length === 0;
}

/** Whoever reads one without labels finds those of its template: they are its default, once it is stored. */
export function labelledByTemplate(object: ReplicationController): ReplicationController {
  const labels = object.spec?.template?.metadata?.labels;
  return labels !== undefined && isEmpty(object.metadata.labels) ? { ...object, metadata: { ...object.metadata, labels } } : object;
}

export function defaultReplicationController(object: ReplicationController): ReplicationController {
  const labels = object.spec?.template?.metadata?.labels;
  const next = edit(object, 'spec', (spec) => {
    const filled = edit(fill(spec, defaults), 'template', defaultPodTemplate);
    return labels !== undefined && isEmpty(filled.selector) ? { ...filled, selector: labels } : filled;
  });
  return labelledByTemplate(next);
}
