/** What a row is in words: the legend, the card under the pointer and whoever hears the page are told what the canvas draws. */
import type { TimelineRow, TimelineSegment } from '../../engine/api/sim/v1alpha1/timeline.ts';
import { unreachable } from '../components/states.ts';
import { texts } from '../texts/texts.ts';
import { barState } from './paint-bar.ts';

const words = texts.timeline;

/** A node of which nothing is heard is called as it is on the map. */
export function stateWord(kind: string, segment: TimelineSegment): string {
  const state = barState(segment);
  return kind === 'Node' && state === 'Unknown' ? unreachable : state;
}

/** What is more than that it exists. */
export function rowWords({ kind, segments, deletedMs }: Pick<TimelineRow, 'kind' | 'segments' | 'deletedMs'>): string {
  const last = segments.at(-1);
  const state = last === undefined ? '' : stateWord(kind, last);
  const said = deletedMs === undefined ? (state === 'Exists' ? '' : state) : words.deleted;
  return said === '' ? kind : `${kind}, ${said}`;
}
