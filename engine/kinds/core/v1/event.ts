/** Events. Mirrors pkg/registry/core/event/strategy.go. */
import type { Event } from '../../../api/core/v1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { columns } from '../../shared/table.ts';
import { validateEvent, validateEventUpdate } from './event-validation.ts';
import { eventCells, eventFields } from './event-table.ts';

export const eventKind = defineKind<Event>({
  group: '',
  version: 'v1',
  kind: 'Event',
  plural: 'events',
  singular: 'event',
  shortNames: ['ev'],
  namespaced: true,
  schema: 'io.k8s.api.core.v1.Event',
  storagePrefix: 'events',
  isCached: false,
  hasGeneration: false,
  allowCreateOnUpdate: true,
  nameValidation: 'none',
  defaultPropagation: 'Unsupported',
  metaChecks: { create: '', update: '' },
  validate: validateEvent,
  validateUpdate: validateEventUpdate,
  selectableFields: eventFields,
  columns: columns('Last Seen', 'Type', 'Reason', 'Object', '*Subobject', '*Source', 'Message', '*First Seen', '*Count', '*Name'),
  row: (object, context) => [...eventCells(object, context)],
});
