/** Events in their newer form before it was stable; stored as core events. */
import type { Event as NewEvent } from '../../../api/events/v1/types.gen.ts';
import type { Event } from '../../../api/events/v1beta1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { olderForm } from '../../shared/older.ts';
import { eventKind as stored } from '../../core/v1/event.ts';
import { fromCoreEvent, toCoreEvent } from '../v1/event-conversion.ts';

export const eventKind = defineKind<Event>(
  olderForm(stored, {
    group: 'events.k8s.io',
    version: 'v1beta1',
    schema: 'io.k8s.api.events.v1beta1.Event',
    deprecated: 22,
    removed: 25,
    toStored: (object) => toCoreEvent(object as NewEvent),
    fromStored: (object) => fromCoreEvent(object) as Event,
    // Fields of their own could not be selected yet.
    selectableFields: {},
  }),
);
