/** Everything that is not as its owner wishes: what, since when, because of what, and what happens next by itself. */
import { useMemo } from 'react';
import { useProblems } from '../../api/problems.ts';
import { Empty } from '../../components/Empty.tsx';
import { ErrorBox } from '../../components/ErrorBox.tsx';
import { useKeys } from '../../lib/keys.ts';
import { useNavigation } from '../../state/navigation.ts';
import { texts } from '../../texts/texts.ts';
import { filterOf, matches, problemFilters } from './filter.ts';
import { ProblemRow } from './ProblemRow.tsx';

const words = texts.problems;

export function ProblemsView() {
  const { problems, isCut, error } = useProblems();
  const { search, filter: given, selected, go } = useNavigation();
  const filter = filterOf(given);
  const shown = useMemo(() => (problems ?? []).filter((one) => matches(one, filter, search)), [problems, filter, search]);
  const step = (by: number): void => {
    const at = shown.findIndex(({ status }) => status.subject.row === selected);
    const next = shown[at < 0 ? 0 : Math.min(shown.length - 1, Math.max(0, at + by))];
    if (!next) return;
    go({ selected: next.status.subject.row, tab: 'why' });
    document.getElementById(`problem-${next.status.subject.row}`)?.focus();
  };
  useKeys({ ArrowDown: () => step(1), ArrowUp: () => step(-1) });
  const clear = (
    <button type="button" className="button" onClick={() => go({ filter: '', search: '' })}>
      {words.clear}
    </button>
  );
  return (
    <>
      <div className="view-head">
        <h1>{words.title}</h1>
        <input
          type="search"
          className="field"
          placeholder={words.search}
          aria-label={words.searchLabel}
          value={search}
          onChange={(event) => go({ search: event.target.value })}
        />
        <div className="segmented" role="group" aria-label={words.kindsLabel}>
          {problemFilters.map((one) => (
            <button key={one} type="button" aria-pressed={filter === one} onClick={() => go({ filter: one })}>
              {words.kinds[one]}
            </button>
          ))}
        </div>
      </div>
      {error ? <ErrorBox title={words.cannotRead} detail={error} /> : null}
      <div className="view-body" tabIndex={0} role="region" aria-label={words.list}>
        {problems && problems.length === 0 ? <Empty title={words.emptyTitle}>{words.emptyText}</Empty> : null}
        {problems && problems.length > 0 && shown.length === 0 ? (
          <Empty title={words.noneMatch}>
            {words.noneMatchText}
            {clear}
          </Empty>
        ) : null}
        {isCut ? <p className="map-note">{words.cut(problems?.length ?? 0)}</p> : null}
        <ol className="problems">
          {shown.map((problem) => (
            <ProblemRow
              key={`${problem.metadata.namespace}/${problem.metadata.name}`}
              problem={problem}
              isSelected={problem.status.subject.row === selected}
            />
          ))}
        </ol>
      </div>
    </>
  );
}
