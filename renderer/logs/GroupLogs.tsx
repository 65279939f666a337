/** Logs of several pods, of a workload or of what was chosen: their lines by time, each with its pod's name in the pod's colour. */
import { X } from 'lucide-react';
import { useState } from 'react';
import { parseRowId } from '../api/resources.ts';
import { ErrorBox } from '../components/ErrorBox.tsx';
import { NotRead } from '../components/NotRead.tsx';
import { KubectlLine } from '../editor/KubectlLine.tsx';
import { shellQuote } from '../editor/shell-quote.ts';
import { shorten } from '../lib/shorten.ts';
import { useNavigation } from '../state/navigation.ts';
import { usePast } from '../state/past.ts';
import { useWhen } from '../state/use-when.ts';
import { texts } from '../texts/texts.ts';
import { endAt, SearchField, Toggle, useFound } from './LogBar.tsx';
import type { LogLine } from './log-lines.ts';
import { LogLinePanel } from './LogLinePanel.tsx';
import { LogList } from './LogList.tsx';
import { isGroup, podsMax } from './pods-of.ts';
import { useLogShow } from './use-log-show.ts';
import { type GroupLog, groupTailLines, logsMax, useGroupLog } from './use-group-log.ts';

const words = texts.logs;
const nameMax = 60;

export function GroupLogs({ ids, isChosen }: { readonly ids: readonly string[]; readonly isChosen: boolean }) {
  const when = useWhen();
  const [previous, setPrevious] = useLogShow('previous');
  const log = useGroupLog(ids, previous);
  const { lines, parts } = log;
  const [times, setTimes] = useLogShow('times');
  const [follow, setFollow] = useState(true);
  const [opened, setOpened] = useState<LogLine | undefined>();
  const pastMs = usePast();
  const end = pastMs === undefined ? lines.first + lines.count : endAt(lines, pastMs);
  const found = useFound(lines, end);
  const [id = ''] = ids;
  const title = ids.length === 1 ? shorten(parseRowId(id).name, nameMax) : words.several(ids.length);
  const label = words.label(title);
  return (
    <div className="log-view">
      <div className="log-bar">
        <code className="ellipsis">{title}</code>
        {isChosen ? (
          <button type="button" className="button quiet" onClick={() => useNavigation.getState().go({ logs: '' })}>
            <X size={13} aria-hidden />
            {words.ofSelection}
          </button>
        ) : null}
        <Toggle name={words.follow} on={follow && !previous} disabled={previous} onClick={() => setFollow(!follow)} />
        <Toggle name={words.previous} on={previous} disabled={log.restarts === 0 && !previous} onClick={() => setPrevious(!previous)} />
        <Toggle name={words.times} on={times} onClick={() => setTimes(!times)} />
        <SearchField {...found} />
        <div className="grow" />
        <span className="muted">{pastMs === undefined ? '' : words.past(when(pastMs))}</span>
        <KubectlLine line={linesOf(ids, log, { follow, times, previous })} />
      </div>
      <ul className="log-parts" aria-label={words.parts}>
        {parts.map(({ key, name, colour, state }) => (
          <li key={key}>
            <span className={`log-from log-from-${colour}`}>{shorten(name, nameMax)}</span> <span className="muted">{state}</span>
          </li>
        ))}
        {log.more > 0 ? <li className="warn">{words.partsMore(log.more, podsMax, logsMax)}</li> : null}
      </ul>
      {log.error ? <ErrorBox title={words.cannotRead} detail={log.error} /> : null}
      {log.isCut ? <p className="warn dense log-note">{words.tooFast}</p> : null}
      {lines.first > 0 ? <p className="muted dense log-note">{words.left(lines.first)}</p> : null}
      {end > lines.first && !(found.only && found.hits.length === 0) ? (
        <LogList
          {...{ lines, end, times, follow, search: found.search, current: found.current, first: lines.first, label }}
          only={found.only ? found.hits : undefined}
          onFollow={setFollow}
          onOpen={setOpened}
        />
      ) : (
        <div className="muted log-note" role="log" aria-label={label}>
          {log.isRead || log.error !== '' ? emptyText(log, found.only, pastMs, previous) : <NotRead />}
        </div>
      )}
      {opened ? <LogLinePanel line={opened} onClose={() => setOpened(undefined)} /> : null}
    </div>
  );
}

function emptyText({ parts, lines, error }: GroupLog, only: boolean, pastMs: number | undefined, previous: boolean): string {
  if (error !== '') return '';
  if (previous && parts.length === 0) return words.noRestarts;
  if (parts.length === 0) return words.noPods;
  if (lines.count === 0) return previous ? words.nothingAtAll : words.nothing;
  return only ? words.nothingFound : pastMs === undefined ? words.nothing : words.nothingThen;
}

/** What kubectl follows by a selector is one line, several objects are one each. */
function linesOf(
  ids: readonly string[],
  { selectors }: GroupLog,
  { follow, times, previous }: { readonly follow: boolean; readonly times: boolean; readonly previous: boolean },
): string {
  // Of several, those that never began anew have no log before that: kubectl goes on only when told to.
  const flags = [
    ...(previous ? ['--previous', '--ignore-errors'] : []),
    '--all-containers',
    '--prefix',
    ...(times ? ['--timestamps'] : []),
    `--tail=${groupTailLines}`,
  ];
  return ids
    .map((id) => {
      const { namespace, name } = parseRowId(id);
      const selector = selectors.get(id);
      // What selects pods and was not read yet, or is gone, is named with its kind.
      const what =
        selector === undefined ? (isGroup(id) ? `${id.split('/')[0] ?? ''}/${shellQuote(name)}` : shellQuote(name)) : `-l ${shellQuote(selector)}`;
      const followed = follow && !previous && ids.length === 1 ? ['-f', ...(selector === undefined ? [] : [`--max-log-requests=${logsMax}`])] : [];
      return ['kubectl logs', what, `-n ${shellQuote(namespace)}`, ...followed, ...flags].join(' ');
    })
    .join('\n');
}
