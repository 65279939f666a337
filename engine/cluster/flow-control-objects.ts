/** The flow schemas and priority levels that the API server itself creates and keeps. */
import type { KubeObject } from '../apimachinery/object.ts';
import type { Release } from '../contracts/release.ts';
import { mandatoryLevels, mandatorySchemas } from '../kinds/flowcontrol/v1/mandatory.ts';

/** Whether the server keeps the spec as it was made. */
export const autoupdateAnnotation = 'apf.kubernetes.io/autoupdate-spec';
/** Who writes them, and who their status. */
export const producer = 'api-priority-and-fairness-config-producer-v1';
export const consumer = 'api-priority-and-fairness-config-consumer-v1';

export interface FlowControlObjects {
  /** Always as they are here. */
  readonly mandatory: readonly KubeObject[];
  /** As they are here unless somebody has taken them over. */
  readonly suggested: readonly KubeObject[];
}

/** None where the release knows no priorities. */
export function flowControlObjects({ suggestedFlowControl }: Pick<Release, 'suggestedFlowControl'>): FlowControlObjects {
  if (suggestedFlowControl === undefined) return { mandatory: [], suggested: [] };
  const mandatory = [...mandatoryLevels, ...mandatorySchemas] as unknown as readonly KubeObject[];
  return { mandatory: mandatory.map(kept), suggested: suggestedFlowControl.map(kept) };
}

function kept(object: KubeObject): KubeObject {
  return { ...object, metadata: { ...object.metadata, annotations: { [autoupdateAnnotation]: 'true' } } };
}
