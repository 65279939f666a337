/** Events between events.k8s.io/v1 and the stored core/v1. Mirrors pkg/apis/events/v1/conversion.go. */
import type { Event as CoreEvent } from '../../../api/core/v1/types.gen.ts';
import type { Event } from '../../../api/events/v1/types.gen.ts';
import type { KubeObject } from '../../../apimachinery/object.ts';
import { givenFields } from '../../../base/plain.ts';
import { eventFields } from '../../core/v1/event-table.ts';

export function toCoreEvent(event: Event): CoreEvent {
  const {
    note,
    regarding,
    reportingController,
    deprecatedSource,
    deprecatedFirstTimestamp,
    deprecatedLastTimestamp,
    deprecatedCount,
    metadata,
    reason,
    type,
    eventTime,
    series,
    action,
    related,
    reportingInstance,
  } = event;
  return givenFields<unknown>({
    kind: 'Event',
    apiVersion: 'v1',
    metadata,
    involvedObject: regarding ?? {},
    reason,
    message: note,
    source: deprecatedSource,
    firstTimestamp: deprecatedFirstTimestamp,
    lastTimestamp: deprecatedLastTimestamp,
    count: deprecatedCount,
    type,
    eventTime,
    series,
    action,
    related,
    reportingComponent: reportingController ?? '',
    reportingInstance: reportingInstance ?? '',
  }) as unknown as CoreEvent;
}

export function fromCoreEvent(object: KubeObject): Event {
  const event = object as CoreEvent;
  return givenFields<unknown>({
    kind: 'Event',
    apiVersion: 'events.k8s.io/v1',
    metadata: event.metadata,
    eventTime: event.eventTime ?? null,
    series: event.series,
    reportingController: event.reportingComponent || undefined,
    reportingInstance: event.reportingInstance || undefined,
    action: event.action,
    reason: event.reason,
    regarding: event.involvedObject,
    related: event.related,
    note: event.message,
    type: event.type,
    deprecatedSource: event.source,
    deprecatedFirstTimestamp: event.firstTimestamp,
    deprecatedLastTimestamp: event.lastTimestamp,
    deprecatedCount: event.count,
  }) as unknown as Event;
}

/** The new group speaks of `regarding` and `reportingController`. */
export const newEventFields: { readonly [label: string]: (event: Event) => string } = Object.fromEntries(
  // Of who made an event in older times nobody asks here.
  Object.entries(eventFields)
    .filter(([label]) => label !== 'source')
    .map(([label, read]) => {
      const name = label === 'reportingComponent' ? 'reportingController' : label.replace('involvedObject.', 'regarding.');
      return [name, (event: Event) => read(toCoreEvent(event))];
    }),
);
