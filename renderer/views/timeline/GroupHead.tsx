/** Head of a group of rows; opens and closes it. */
import { ChevronDown, ChevronRight } from 'lucide-react';
import { plural } from '../../lib/format.ts';
import type { Grouping } from '../../timeline/query.ts';

const nameless: Readonly<Record<Grouping, string>> = { owner: 'no owner', node: 'on no node', namespace: 'cluster-wide', kind: 'no kind' };

export function GroupHead({
  by,
  name,
  count,
  collapsed,
  onToggle,
}: {
  readonly by: Grouping;
  readonly name: string;
  readonly count: number;
  readonly collapsed: boolean;
  readonly onToggle: (key: string) => void;
}) {
  const Chevron = collapsed ? ChevronRight : ChevronDown;
  return (
    <button type="button" aria-expanded={!collapsed} onClick={() => onToggle(name)} title={`${collapsed ? 'Open' : 'Collapse'} ${by} ${name}`}>
      <Chevron size={13} aria-hidden />
      <strong className="ellipsis">{name || nameless[by]}</strong>
      <span className="muted count">{plural(count, 'row')}</span>
    </button>
  );
}
