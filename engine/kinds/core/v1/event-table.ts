/** Cells and selectable fields of events. Mirrors printEvent of pkg/printers/internalversion and the event strategy. */
import type { Event } from '../../../api/core/v1/types.gen.ts';
import type { TableContext } from '../../../contracts/kind.ts';
import type { JsonValue } from '../../../base/json.ts';
import { nameOf, since } from '../../shared/table.ts';

export function eventCells(event: Event, context: TableContext): readonly JsonValue[] {
  const { involvedObject, source, series } = event;
  const first = since(event.firstTimestamp || event.eventTime, context);
  const last = series ? since(series.lastObservedTime, context) : event.lastTimestamp ? since(event.lastTimestamp, context) : first;
  const kind = (involvedObject?.kind ?? '').toLowerCase();
  const target = involvedObject?.name ? `${kind}/${involvedObject.name}` : kind;
  const component = source?.component || event.reportingComponent || '';
  const instance = source?.host || event.reportingInstance || '';
  const from = instance === '' ? component : `${component}, ${instance}`;
  const count = series ? (series.count ?? 0) : event.count || 1;
  const message = (event.message ?? '').trim();
  return [last, event.type ?? '', event.reason ?? '', target, involvedObject?.fieldPath ?? '', from, message, first, count, nameOf(event)];
}

export const eventFields: { readonly [label: string]: (event: Event) => string } = {
  'involvedObject.kind': (event) => event.involvedObject?.kind ?? '',
  'involvedObject.namespace': (event) => event.involvedObject?.namespace ?? '',
  'involvedObject.name': (event) => event.involvedObject?.name ?? '',
  'involvedObject.uid': (event) => event.involvedObject?.uid ?? '',
  'involvedObject.apiVersion': (event) => event.involvedObject?.apiVersion ?? '',
  'involvedObject.resourceVersion': (event) => event.involvedObject?.resourceVersion ?? '',
  'involvedObject.fieldPath': (event) => event.involvedObject?.fieldPath ?? '',
  reason: (event) => event.reason ?? '',
  reportingComponent: (event) => event.reportingComponent ?? '',
  source: (event) => event.source?.component || event.reportingComponent || '',
  type: (event) => event.type ?? '',
};
