/** What stands over a log: a search through it, and switches. */
import { ArrowDown, ArrowUp } from 'lucide-react';
import { useMemo, useState } from 'react';
import { countWhile } from '../lib/bisect.ts';
import { useNavigation } from '../state/navigation.ts';
import { texts } from '../texts/texts.ts';
import type { LineStore } from './log-lines.ts';
import { LogSearch } from './log-search.ts';
import { useLogShow } from './use-log-show.ts';

const words = texts.logs;

export function Toggle({
  name,
  on,
  disabled,
  onClick,
}: {
  readonly name: string;
  readonly on: boolean;
  readonly disabled?: boolean;
  readonly onClick: () => void;
}) {
  return (
    <button type="button" className="button" aria-pressed={on} disabled={disabled} onClick={onClick}>
      {name}
    </button>
  );
}

/** Number of the first line after an instant; lines without a time stay with those before. */
export function endAt(lines: LineStore, ms: number): number {
  return lines.first + countWhile(lines.count, (index) => (lines.at(lines.first + index)?.atMs ?? 0) <= ms);
}

export interface Found {
  readonly text: string;
  readonly search: LogSearch | undefined;
  readonly hits: readonly number[];
  /** Number of the line that is stood at. */
  readonly current: number | undefined;
  readonly only: boolean;
  readonly onText: (text: string) => void;
  readonly onOnly: (only: boolean) => void;
  /** 1 to the next line found, -1 to the one before. */
  readonly onStep: (by: 1 | -1) => void;
}

export function useFound(lines: LineStore, end: number): Found {
  const text = useNavigation(({ logFind }) => logFind);
  const [only, setOnly] = useLogShow('only');
  const [current, setCurrent] = useState<number | undefined>();
  const search = useMemo(() => (text === '' ? undefined : new LogSearch(lines, text)), [lines, text]);
  const hits = (search?.hits() ?? []).filter((number) => number < end);
  const step = (by: 1 | -1): void => {
    const at = current === undefined ? -1 : hits.indexOf(current);
    // From nowhere it begins with the newest.
    setCurrent(at < 0 ? hits.at(-1) : hits.at((at + by + hits.length) % hits.length));
  };
  const write = (next: string): void => {
    useNavigation.getState().go({ logFind: next });
    setCurrent(undefined);
  };
  return { text, search, hits, current, only: only && text !== '', onText: write, onOnly: setOnly, onStep: step };
}

export function SearchField({ text, hits, current, only, onText, onOnly, onStep }: Found) {
  const at = current === undefined ? 0 : hits.indexOf(current) + 1;
  return (
    <span className="log-search">
      <input
        className="field"
        type="search"
        placeholder={words.search}
        aria-label={words.search}
        value={text}
        onChange={(event) => onText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') {
            event.preventDefault();
            onStep(event.shiftKey ? 1 : -1);
          }
          if (event.key === 'Escape') onText('');
        }}
      />
      {text === '' ? null : (
        <>
          <span className="muted" role="status">
            {words.hits(at, hits.length)}
          </span>
          <button type="button" className="button icon quiet" aria-label={words.back} title={words.back} onClick={() => onStep(-1)}>
            <ArrowUp size={13} aria-hidden />
          </button>
          <button type="button" className="button icon quiet" aria-label={words.next} title={words.next} onClick={() => onStep(1)}>
            <ArrowDown size={13} aria-hidden />
          </button>
          <Toggle name={words.only} on={only} onClick={() => onOnly(!only)} />
        </>
      )}
    </span>
  );
}
