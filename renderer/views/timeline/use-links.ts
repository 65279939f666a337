/** The change that the address names, on the canvas: its instant, its row brought into view, and arrows to its causes and effects. */
import { useEffect, useMemo, useRef } from 'react';
import type { ChangeStatus } from '../../../engine/api/sim/v1alpha1/change.ts';
import type { TimelineRow } from '../../../engine/api/sim/v1alpha1/timeline.ts';
import { useChange } from '../../api/changes.ts';
import { useNavigation } from '../../state/navigation.ts';
import type { Lines } from '../../timeline/lines.ts';
import type { CausalLink, LinkEnd } from '../../timeline/paint-links.ts';
import { useRange } from '../../timeline/range.ts';
import { pan } from '../../timeline/viewport.ts';

export interface ShownChange {
  readonly change: ChangeStatus | undefined;
  readonly links: readonly CausalLink[];
  /** The line of its row; undefined where that is not loaded. */
  readonly line: number | undefined;
  /** The line that it had when it was first there, to be brought into view once. */
  readonly reveal: number | undefined;
}

interface Loaded {
  readonly rows: readonly TimelineRow[] | undefined;
  readonly offset: number;
  readonly lines: Lines;
}

export function useLinks({ rows, offset, lines }: Loaded): ShownChange {
  const { revision, selected } = useNavigation();
  const { change } = useChange(revision);
  const lineOf = useMemo(() => {
    const known = new Map<string, number>();
    rows?.forEach((row, index) => known.set(row.id, lines.indexOf(offset + index)));
    return known;
  }, [rows, offset, lines]);
  useShown(change);
  const links = useMemo(() => (change ? linksOf(change, selected, lineOf) : none), [change, selected, lineOf]);
  const line = change && lineOf.get(selected);
  const first = useRef<{ readonly revision: number; readonly line: number } | undefined>(undefined);
  if (change && line !== undefined && first.current?.revision !== change.revision) first.current = { revision: change.revision, line };
  return { change, links, line, reveal: change && first.current?.revision === change.revision ? first.current.line : undefined };
}

const none: readonly CausalLink[] = [];

function linksOf(change: ChangeStatus, selected: string, lineOf: ReadonlyMap<string, number>): readonly CausalLink[] {
  const end = (row: string, ms: number): LinkEnd => ({ ms, line: lineOf.get(row), name: row.split('/').slice(-1)[0] ?? row });
  const here = end(selected, change.ms);
  // Beside a row that is not on screen nothing says that the arrow leads back to it.
  const isShown = (row: string): boolean => row !== selected || here.line !== undefined;
  const causes = (change.causes ?? []).flatMap(({ type, object, ms }) =>
    type === 'write' && object !== undefined && ms !== undefined && isShown(object) ? [end(object, ms)] : [],
  );
  return [
    ...causes.map((from) => ({ from, to: here, hub: 'to' as const })),
    ...(change.effects ?? []).filter(({ row }) => isShown(row)).map(({ row, ms }) => ({ from: here, to: end(row, ms), hub: 'from' as const })),
  ];
}

/** Once for each change: who looks elsewhere afterwards is not brought back. */
function useShown(change: ChangeStatus | undefined): void {
  const shown = useRef<number | undefined>(undefined);
  useEffect(() => {
    if (!change || shown.current === change.revision) return;
    shown.current = change.revision;
    const { range, show } = useRange.getState();
    if (range && (change.ms < range.fromMs || change.ms > range.toMs))
      show(pan(range, (change.ms - (range.fromMs + range.toMs) / 2) / (range.toMs - range.fromMs)));
  }, [change]);
}
