/**
 * When the change that a sync of endpoints answers to happened, for the annotation endpoints.kubernetes.io/last-change-trigger-time.
 * Mirrors k8s.io/endpointslice util/trigger_time_tracker.go. Times are RFC 3339 text in UTC, so their order is that of the text.
 */
import { mapOf, record, text } from '../../base/codecs.ts';
import type { Slots } from '../../base/slots.ts';
import type { Pod, Service } from '../../api/core/v1/types.gen.ts';
import { readyConditionOf } from './pod.ts';

export const triggerTimeAnnotation = 'endpoints.kubernetes.io/last-change-trigger-time';

interface ServiceTimes {
  readonly service: string;
  readonly pods: Map<string, string>;
}

export class TriggerTimes {
  readonly #byService: Map<string, ServiceTimes>;

  constructor(slots: Slots) {
    this.#byService = slots.map('times', record<ServiceTimes>({ service: text, pods: mapOf(text) }));
  }

  /** The earliest change since the last sync of the service, or undefined. */
  next(key: string, service: Service, pods: readonly Pod[]): string | undefined {
    const before = this.#byService.get(key);
    const times = before?.pods ?? new Map<string, string>();
    let earliest: string | undefined;
    let timed = 0;
    for (const pod of pods) {
      const time = readyConditionOf(pod)?.lastTransitionTime;
      if (!time) continue;
      timed++;
      const { name = '' } = pod.metadata;
      const old = times.get(name);
      if (old === time) continue;
      times.set(name, time);
      if (time > (old ?? '') && (earliest === undefined || time < earliest)) earliest = time;
    }
    if (times.size > timed) forgetOthers(times, pods);
    const created = service.metadata.creationTimestamp ?? '';
    if (created > (before?.service ?? '') && (earliest === undefined || created < earliest)) earliest = created;
    this.#byService.set(key, { service: created, pods: times });
    return before === undefined ? created : earliest;
  }

  /** Pods of the service at its last sync. */
  size(key: string): number {
    return this.#byService.get(key)?.pods.size ?? 0;
  }

  delete(key: string): void {
    this.#byService.delete(key);
  }
}

function forgetOthers(times: Map<string, string>, pods: readonly Pod[]): void {
  const names = new Set<string | undefined>();
  for (const pod of pods) if (readyConditionOf(pod)?.lastTransitionTime) names.add(pod.metadata.name);
  for (const name of [...times.keys()]) if (!names.has(name)) times.delete(name);
}
