/** Lines of a log, of which only those in sight are drawn. It stays at its end while it is followed, and where it is while it is read. */
import { useLayoutEffect, useRef, useState } from 'react';
import { shorten } from '../lib/shorten.ts';
import { useSize } from '../lib/use-size.ts';
import { useWhen } from '../state/use-when.ts';
import { texts } from '../texts/texts.ts';
import { type Piece, piecesOf } from './ansi.ts';
import type { LineStore, LogLine } from './log-lines.ts';
import type { LogSearch } from './log-search.ts';

const words = texts.logs;
const rowPx = 18;
const overscan = 8;
/** So near to the end counts as at the end. */
const nearPx = 24;
/** In a row; the whole line is opened by a click. */
const drawnMax = 2_000;
const fromMax = 80;

interface LogListProps {
  readonly lines: LineStore;
  /** Numbers of the lines to show, oldest first: all from `first` to before `end`, or those of `only`. */
  readonly first: number;
  readonly end: number;
  readonly only: readonly number[] | undefined;
  readonly search: LogSearch | undefined;
  /** Number of the line that the search stands at; it comes into sight when it changes. */
  readonly current: number | undefined;
  readonly times: boolean;
  readonly follow: boolean;
  readonly label: string;
  readonly onFollow: (follow: boolean) => void;
  readonly onOpen: (line: LogLine) => void;
}

export function LogList({ lines, first, end, only, search, current, times, follow, label, onFollow, onOpen }: LogListProps) {
  const when = useWhen();
  const box = useRef<HTMLDivElement>(null);
  const { height } = useSize(box);
  const [top, setTop] = useState(0);
  const count = only ? only.length : end - first;
  const numberAt = (row: number): number => only?.[row] ?? first + row;
  useLayoutEffect(() => {
    if (follow && box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [follow, count, end, height]);
  useKeptPlace(box, only ? undefined : first, follow);
  useLayoutEffect(() => {
    const row = current === undefined ? -1 : only ? only.indexOf(current) : current - first;
    if (row >= 0 && box.current) box.current.scrollTop = Math.max(0, row * rowPx - box.current.clientHeight / 2);
    // It moves when the search does, not with each line that comes.
  }, [current]);
  const from = Math.max(0, Math.floor(top / rowPx) - overscan);
  const to = Math.min(count, Math.ceil((top + height) / rowPx) + overscan);
  const rows = Array.from({ length: Math.max(0, to - from) }, (_, index) => lines.at(numberAt(from + index))).filter((line) => line !== undefined);
  return (
    <div
      ref={box}
      className="log"
      role="log"
      aria-live="off"
      aria-label={label}
      tabIndex={0}
      onKeyDown={(event) => {
        const line = event.key === 'Enter' ? lines.at(current ?? numberAt(count - 1)) : undefined;
        if (line) onOpen(line);
      }}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        setTop(scrollTop);
        const isAtEnd = scrollHeight - scrollTop - clientHeight < nearPx;
        if (isAtEnd !== follow) onFollow(isAtEnd);
      }}
    >
      <div className="log-space" style={{ height: count * rowPx, paddingTop: from * rowPx }}>
        {rows.map((line) => (
          <div key={line.number} className={`log-line ${line.number === current ? 'is-current' : ''}`} onClick={() => onOpen(line)}>
            {times && line.atMs !== undefined ? <span className="log-time">{when(line.atMs, true)} </span> : null}
            {line.from ? <span className={`log-from log-from-${line.from.colour}`}>{shorten(line.from.name, fromMax)} </span> : null}
            <LineText line={line} search={search} />
          </div>
        ))}
      </div>
    </div>
  );
}

/** Lines that go at the head take nothing from under the eyes of who reads. */
function useKeptPlace(box: React.RefObject<HTMLDivElement | null>, first: number | undefined, follow: boolean): void {
  const before = useRef(first);
  useLayoutEffect(() => {
    const gone = first !== undefined && before.current !== undefined ? first - before.current : 0;
    before.current = first;
    if (gone > 0 && !follow && box.current) box.current.scrollTop = Math.max(0, box.current.scrollTop - gone * rowPx);
  }, [box, first, follow]);
}

function LineText({ line, search }: { readonly line: LogLine; readonly search: LogSearch | undefined }) {
  const cut = line.plain.length > drawnMax || line.lost > 0;
  return (
    <>
      {search && search.placeIn(line.plain, 0) >= 0 ? (
        <Marked text={line.plain.slice(0, drawnMax)} search={search} />
      ) : (
        <Pieces pieces={piecesOf(line.text.slice(0, drawnMax))} />
      )}
      {cut ? <span className="muted">{words.cut(Math.max(0, line.plain.length - drawnMax) + line.lost)}</span> : null}
      {line.plain === '' ? '\u00a0' : null}
    </>
  );
}

export function Pieces({ pieces }: { readonly pieces: readonly Piece[] }) {
  return pieces.map(({ text, look }, index) => (
    <span key={index} className={look === '' ? undefined : look.replace(/(\w+)/g, 'ansi-$1')}>
      {text}
    </span>
  ));
}

/** What was searched for is marked; colours step back. */
function Marked({ text, search }: { readonly text: string; readonly search: LogSearch }) {
  const parts: { readonly text: string; readonly found: boolean }[] = [];
  let from = 0;
  for (let at = search.placeIn(text, 0); at >= 0; at = search.placeIn(text, from)) {
    parts.push({ text: text.slice(from, at), found: false }, { text: text.slice(at, at + search.length), found: true });
    from = at + search.length;
  }
  parts.push({ text: text.slice(from), found: false });
  return parts.map(({ text: part, found }, index) => (found ? <mark key={index}>{part}</mark> : <span key={index}>{part}</span>));
}
