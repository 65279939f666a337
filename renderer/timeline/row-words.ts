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

/** At an instant, which may lie before what is known of the row: what is more than that it exists, and what is ready of what is wished for. */
export function rowWords(row: Pick<TimelineRow, 'kind' | 'segments' | 'area' | 'createdMs' | 'deletedMs'>, ms: number): string {
  const { kind, segments, area, createdMs } = row;
  if (isDeletedAt(row, ms)) return `${kind}, ${words.deleted}`;
  if (createdMs > ms) return `${kind}, ${words.notThereYet}`;
  const last = segments.findLast(({ fromMs }) => fromMs <= ms);
  const state = last === undefined ? '' : stateWord(kind, last);
  const said = [kind, state === 'Exists' ? '' : state, area === undefined ? '' : levelOf(kind, area, ms)];
  return said.filter((one) => one !== '').join(', ');
}

export function isDeletedAt({ deletedMs }: Pick<TimelineRow, 'deletedMs'>, ms: number): boolean {
  return deletedMs !== undefined && deletedMs <= ms;
}

/** States that a part of a range shows, by their words. */
export function statesIn(rows: readonly Pick<TimelineRow, 'kind' | 'segments'>[], fromMs: number, toMs: number): readonly string[] {
  const seen = new Set<string>();
  for (const { kind, segments } of rows)
    for (const segment of segments) if (segment.fromMs <= toMs && (segment.toMs ?? toMs) >= fromMs) seen.add(stateWord(kind, segment));
  return [...seen].sort();
}

function levelOf(kind: string, area: readonly number[], ms: number): string {
  let at = area.length - stepWidth;
  while (at >= 0 && (area[at] as number) > ms) at -= stepWidth;
  const [wished, ready] = [area[at + 1] ?? 0, area[at + 2] ?? 0];
  return at < 0 || (wished === 0 && ready === 0) ? '' : words.level(ready, wished, kind === 'Service' ? texts.entries.endpoint : texts.entries.pod);
}
