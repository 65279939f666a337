/** Events in their newer form; stored as core events. Mirrors pkg/apis/core/v1/conversion for events. */
import type { Event } from '../../../api/events/v1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { eventCells } from '../../core/v1/event-table.ts';
import { columns } from '../../shared/table.ts';
import { newEventFields } from './event-conversion.ts';
import { fromCoreEvent, toCoreEvent } from './event-conversion.ts';

export const eventKind = defineKind<Event>({
  group: 'events.k8s.io',
  version: 'v1',
  kind: 'Event',
  plural: 'events',
  singular: 'event',
  shortNames: ['ev'],
  namespaced: true,
  schema: 'io.k8s.api.events.v1.Event',
  storagePrefix: 'events',
  isCached: false,
  hasGeneration: false,
  allowCreateOnUpdate: true,
  nameValidation: 'none',
  defaultPropagation: 'Unsupported',
  storage: { group: '', version: 'v1', toStorage: toCoreEvent, fromStorage: fromCoreEvent },
  selectableFields: newEventFields,
  columns: columns('Last Seen', 'Type', 'Reason', 'Object', '*Subobject', '*Source', 'Message', '*First Seen', '*Count', '*Name'),
  row: (object, context) => [...eventCells(toCoreEvent(object), context)],
});
