/** Logs of the selected pod, read as they are written: each container, now or before its restart, searched, bounded. */
import { ArrowDown, ArrowUp } from 'lucide-react';
import { useMemo, useRef, useState } from 'react';
import { type AnyObject, useObject } from '../api/objects.ts';
import { Empty } from '../components/Empty.tsx';
import { ErrorBox } from '../components/ErrorBox.tsx';
import { KubectlLine } from '../editor/KubectlLine.tsx';
import { shellQuote } from '../editor/shell-quote.ts';
import { formatTime } from '../lib/format.ts';
import { shorten } from '../lib/shorten.ts';
import { containersOf } from '../logs/containers.ts';
import type { LogLine, LogLines } from '../logs/log-lines.ts';
import { LogLinePanel } from '../logs/LogLinePanel.tsx';
import { LogList } from '../logs/LogList.tsx';
import { LogSearch } from '../logs/log-search.ts';
import { type Log, tailLines, useLog } from '../logs/use-log.ts';
import { useNavigation } from '../state/navigation.ts';
import { texts } from '../texts/texts.ts';
import { usePast } from '../state/past.ts';

const words = texts.logs;
const nameMax = 120;

export function LogsPanel() {
  const selected = useNavigation((state) => state.selected);
  if (!selected.startsWith('pods/')) return <Empty title={words.noPod}>{words.noPodText}</Empty>;
  return <PodLogs key={selected} id={selected} />;
}

function PodLogs({ id }: { readonly id: string }) {
  const { object, name, synced } = useObject(id);
  const last = useLast(object);
  const [chosen, setChosen] = useState('');
  const [previous, setPrevious] = useState(false);
  const [times, setTimes] = useState(false);
  const [follow, setFollow] = useState(true);
  const [opened, setOpened] = useState<LogLine | undefined>();
  const containers = useMemo(() => containersOf(last), [last]);
  const container = containers.find((one) => one.name === chosen) ?? containers[0];
  const log = useLog({ namespace: name.namespace, pod: name.name, container: container?.name ?? '', previous, life: container?.life ?? '' });
  const { lines } = log;
  const pastMs = usePast();
  const end = pastMs === undefined ? lines.first + lines.count : endAt(lines, pastMs);
  const found = useFound(lines, end);
  if (synced && !object && lines.count === 0) return <Empty title={words.gone}>{words.goneText}</Empty>;
  const restarts = container?.restarts ?? 0;
  const line = [
    `kubectl logs ${shellQuote(name.name)} -n ${shellQuote(name.namespace)} -c ${shellQuote(container?.name ?? '')}`,
    ...(previous ? ['--previous'] : follow ? ['-f'] : []),
    ...(times ? ['--timestamps'] : []),
    `--tail=${tailLines}`,
  ].join(' ');
  return (
    <div className="log-view">
      <div className="log-bar">
        <code className="ellipsis">{shorten(name.name, nameMax)}</code>
        <select
          className="field"
          aria-label={words.container}
          value={container?.name ?? ''}
          onChange={(event) => {
            setChosen(event.target.value);
            setPrevious(false);
          }}
        >
          {containers.map((one) => (
            <option key={one.name} value={one.name}>
              {`${shorten(one.name, nameMax)} · ${one.state}${one.restarts > 0 ? ` · ${words.restarted(one.restarts)}` : ''}`}
            </option>
          ))}
        </select>
        <Toggle name={words.follow} on={follow && !previous} disabled={previous} onClick={() => setFollow(!follow)} />
        <Toggle name={words.previous} on={previous} disabled={restarts === 0} onClick={() => setPrevious(!previous)} />
        <Toggle name={words.times} on={times} onClick={() => setTimes(!times)} />
        <SearchField {...found} />
        <div className="grow" />
        <span className="muted">
          {pastMs === undefined ? '' : words.past(formatTime(pastMs))}
          {!object && synced ? words.goneRead : log.state === 'ended' && pastMs === undefined ? words.stopped : ''}
        </span>
        <KubectlLine line={line} />
      </div>
      {log.state === 'failed' ? <ErrorBox title={words.cannotRead} detail={log.detail} /> : null}
      {lines.first > 0 ? <p className="muted dense log-note">{words.left(lines.first)}</p> : null}
      {end > lines.first && !(found.only && found.hits.length === 0) ? (
        <LogList
          {...{ lines, end, times, follow, search: found.search, current: found.current, first: lines.first }}
          only={found.only ? found.hits : undefined}
          label={words.label(shorten(name.name, nameMax))}
          onFollow={setFollow}
          onOpen={setOpened}
        />
      ) : (
        <p className="muted log-note" role="log" aria-label={words.label(shorten(name.name, nameMax))}>
          {emptyText(log, found.only, pastMs)}
        </p>
      )}
      {opened ? <LogLinePanel line={opened} onClose={() => setOpened(undefined)} /> : null}
    </div>
  );
}

function emptyText({ state, detail, lines }: Log, only: boolean, pastMs: number | undefined): string {
  if (state === 'failed') return '';
  if (state === 'none') return shorten(detail, 600);
  if (lines.count === 0) return words.nothing;
  return only ? words.nothingFound : pastMs === undefined ? words.nothing : words.nothingThen;
}

function Toggle({
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

/** A pod that is gone is still told as it was last. */
function useLast(object: AnyObject | undefined): AnyObject | undefined {
  const last = useRef(object);
  if (object) last.current = object;
  return last.current;
}

/** Number of the first line after an instant; lines without a time stay with those before. */
function endAt(lines: LogLines, ms: number): number {
  let [low, high] = [lines.first, lines.first + lines.count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((lines.at(middle)?.atMs ?? 0) <= ms) low = middle + 1;
    else high = middle;
  }
  return low;
}

interface Found {
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

function useFound(lines: LogLines, end: number): Found {
  const [text, setText] = useState('');
  const [only, setOnly] = useState(false);
  const [current, setCurrent] = useState<number | undefined>();
  const search = useMemo(() => (text === '' ? undefined : new LogSearch(lines, text)), [lines, text]);
  const hits = (search?.hits() ?? []).filter((number) => number < end);
  const step = (by: 1 | -1): void => {
    const at = current === undefined ? -1 : hits.indexOf(current);
    // From nowhere it begins with the newest.
    setCurrent(at < 0 ? hits.at(-1) : hits.at((at + by + hits.length) % hits.length));
  };
  const write = (next: string): void => {
    setText(next);
    setCurrent(undefined);
  };
  return { text, search, hits, current, only: only && text !== '', onText: write, onOnly: setOnly, onStep: step };
}

function SearchField({ text, hits, current, only, onText, onOnly, onStep }: Found) {
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
          if (event.key === 'Enter') onStep(event.shiftKey ? 1 : -1);
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
