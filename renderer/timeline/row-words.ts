/** What a row is in words: the legend, the card under the pointer and whoever hears the page are told what the canvas draws. */
import type { TimelineRow, TimelineSegment } from '../../engine/api/sim/v1alpha1/timeline.ts';
import { unreachable } from '../components/states.ts';
import { texts } from '../texts/texts.ts';
import { stepWidth } from './area-steps.ts';
import { barState } from './paint-bar.ts';

const words = texts.timeline;

/** A node of which nothing is heard is called as it is on the map. */
export function stateWord(kind: string, segment: TimelineSegment): string {
  const state = barState(segment);
  return kind === 'Node' && state === 'Unknown' ? unreachable : state;
}

/** At the end of what is shown: what has an area by its figures, and beside it the state that says more than that it exists. */
export function rowWords({ kind, segments, area, deletedMs }: Pick<TimelineRow, 'kind' | 'segments' | 'area' | 'deletedMs'>): string {
  const last = segments.at(-1);
  const state = last === undefined ? '' : stateWord(kind, last);
  const said = deletedMs === undefined ? [state === 'Exists' ? '' : state, area === undefined ? '' : levelOf(kind, area)] : [words.deleted];
  return [kind, ...said].filter((one) => one !== '').join(', ');
}

function levelOf(kind: string, area: readonly number[]): string {
  const [, wished = 0, ready = 0] = area.slice(-stepWidth);
  return area.length < stepWidth ? '' : words.level(ready, wished, kind === 'Service' ? texts.entries.endpoint : texts.entries.pod);
}
