/** Head of a group of rows; opens and closes it. */
import { ChevronDown, ChevronRight } from 'lucide-react';
import { plural } from '../../lib/format.ts';
import { texts } from '../../texts/texts.ts';
import type { Grouping } from '../../timeline/query.ts';

const words = texts.timeline;

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
    <button
      type="button"
      aria-expanded={!collapsed}
      onClick={() => onToggle(name)}
      title={(collapsed ? words.open : words.collapse)(words.group(by, name))}
    >
      <Chevron size={13} aria-hidden />
      <strong className="ellipsis">{name || words.nameless[by]}</strong>
      <span className="muted count">{plural(count, words.row)}</span>
    </button>
  );
}
