/**
 * When the change that a sync of endpoints answers to happened, for the annotation endpoints.kubernetes.io/last-change-trigger-time.
 * Mirrors k8s.io/endpointslice util/trigger_time_tracker.go. Times are RFC 3339 text in UTC, so their order is that of the text.
 */
import type { JsonValue } from '../../apimachinery/object.ts';
import type { Pod, Service } from '../../api/core/v1/types.gen.ts';
import { readyConditionOf } from './pod.ts';

export const triggerTimeAnnotation = 'endpoints.kubernetes.io/last-change-trigger-time';

interface ServiceTimes {
  readonly service: string;
  readonly pods: ReadonlyMap<string, string>;
}

type Saved = readonly (readonly [string, string, readonly (readonly [string, string])[]])[];

export class TriggerTimes {
  readonly #byService = new Map<string, ServiceTimes>();

  /** The earliest change since the last sync of the service, or undefined. */
  next(key: string, service: Service, pods: readonly Pod[]): string | undefined {
    const before = this.#byService.get(key);
    let earliest: string | undefined;
    const times = new Map<string, string>();
    for (const pod of pods) {
      const time = readyConditionOf(pod)?.lastTransitionTime;
      const { name = '' } = pod.metadata;
      if (!time) continue;
      times.set(name, time);
      if (time > (before?.pods.get(name) ?? '') && (earliest === undefined || time < earliest)) earliest = time;
    }
    const created = service.metadata.creationTimestamp ?? '';
    if (created > (before?.service ?? '') && (earliest === undefined || created < earliest)) earliest = created;
    this.#byService.set(key, { service: created, pods: times });
    return before === undefined ? created : earliest;
  }

  delete(key: string): void {
    this.#byService.delete(key);
  }

  save(): JsonValue {
    return [...this.#byService].map(([key, { service, pods }]) => [key, service, [...pods]]);
  }

  restore(saved: JsonValue): void {
    for (const [key, service, pods] of saved as unknown as Saved) this.#byService.set(key, { service, pods: new Map(pods) });
  }
}
