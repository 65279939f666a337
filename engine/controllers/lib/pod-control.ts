/** Creates and deletes pods for an owner, telling of it in events. Mirrors RealPodControl of pkg/controller/controller_utils.go. */
import type { Pod, PodTemplateSpec } from '../../api/core/v1/types.gen.ts';
import { hasStatusCause, isNotFound } from '../../apimachinery/errors.ts';
import type { KubeObject } from '../../apimachinery/object.ts';
import { StatusError } from '../../apimachinery/status.ts';
import type { ResourceType } from '../../client/client.ts';
import type { EventRecorder } from '../../client/event-recorder.ts';
import { pods } from '../../client/resources.ts';
import type { ControllerTraits } from '../../contracts/release.ts';
import type { ReconcileContext } from '../../controller-runtime/controller.ts';
import { RetryError } from '../../controller-runtime/retry-error.ts';
import { newControllerRef } from './controller-ref.ts';
import { compact, nonEmpty, nonEmptyMap } from './json.ts';

export interface PodOwner {
  readonly object: KubeObject;
  readonly type: ResourceType;
}

/** The pod that a template makes. `generateName` is `<owner>-` unless given. */
export function podFromTemplate(template: PodTemplateSpec | undefined, { object, type }: PodOwner, generateName?: string): Pod {
  const { labels = {}, annotations = {}, finalizers = [] } = template?.metadata ?? {};
  const metadata = compact({
    generateName: generateName ?? `${object.metadata.name}-`,
    namespace: object.metadata.namespace,
    labels: nonEmptyMap(labels),
    annotations: nonEmptyMap(annotations),
    ownerReferences: [newControllerRef(object, type)],
    finalizers: nonEmpty(finalizers),
  });
  return { kind: 'Pod', apiVersion: 'v1', metadata, spec: template?.spec } as Pod;
}

/** Fails with the API's error after an event; silently (but failing) while the namespace goes. */
export async function createPod(context: ReconcileContext, recorder: EventRecorder, owner: PodOwner, pod: Pod): Promise<Pod> {
  if (pod.metadata.labels === undefined) throw new RetryError('unable to create pods, no labels');
  try {
    const created = await context.client.create(pods, pod);
    recorder.event(owner.object, 'Normal', 'SuccessfulCreate', `Created pod: ${created.metadata.name}`, context.causes);
    return created;
  } catch (error) {
    if (error instanceof StatusError && !isNamespaceTerminating(error)) {
      recorder.event(owner.object, 'Warning', 'FailedCreate', `Error creating: ${error.message}`, context.causes);
    }
    throw error;
  }
}

export async function deletePod(context: ReconcileContext, recorder: EventRecorder, owner: PodOwner, pod: Pod): Promise<void> {
  const { namespace, name = '' } = pod.metadata;
  try {
    await context.client.delete(pods, namespace, name);
  } catch (error) {
    if (!(error instanceof StatusError) || isNotFound(error)) throw error;
    recorder.event(owner.object, 'Warning', 'FailedDelete', `Error deleting: ${error.message}`, context.causes);
    throw new RetryError(`unable to delete pods: ${error.message}`);
  }
  recorder.event(owner.object, 'Normal', 'SuccessfulDelete', `Deleted pod: ${name}`, context.causes);
}

/** What was refused may be left at that: nobody needs it, or it may be there all the same. */
export function mayBeLeft(error: unknown, { countsTimeouts }: Pick<ControllerTraits, 'countsTimeouts'>): boolean {
  return isNamespaceTerminating(error) || (countsTimeouts && error instanceof StatusError && error.status.reason === 'Timeout');
}

/** The namespace is going away: nothing can be created in it, and nobody needs to hear of it. */
export function isNamespaceTerminating(error: unknown): boolean {
  return hasStatusCause(error, 'NamespaceTerminating');
}
