/** How many things are wrong; opens the list of them. */
import { CircleCheck, CircleDashed, TriangleAlert } from 'lucide-react';
import { useProblems } from '../api/problems.ts';
import { useNavigation } from '../state/navigation.ts';
import { texts } from '../texts/texts.ts';

const words = texts.problems;

export function ProblemsChip({ isStale }: { readonly isStale: boolean }) {
  const { problems, isCut } = useProblems();
  const { view, go } = useNavigation();
  const count = problems?.length ?? 0;
  const Sign = problems === undefined ? CircleDashed : count > 0 ? TriangleAlert : CircleCheck;
  const tone = problems === undefined || isStale ? '' : count > 0 ? 'bad' : 'good';
  return (
    <button
      type="button"
      className={`problems-chip ${tone}`}
      title={words.chipTitle}
      aria-pressed={view === 'problems'}
      onClick={() => go({ view: 'problems', filter: '', search: '' })}
    >
      <Sign size={14} aria-hidden />
      {problems === undefined ? words.unread : count > 0 ? words.chip(count, isCut) : words.none}
    </button>
  );
}
