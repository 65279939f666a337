/** Logs of the selected pod, read as they are written: each container, now or before its restart, searched, bounded. */
import { useMemo, useRef, useState } from 'react';
import { type AnyObject, useObject } from '../api/objects.ts';
import { Empty } from '../components/Empty.tsx';
import { ErrorBox } from '../components/ErrorBox.tsx';
import { NotRead } from '../components/NotRead.tsx';
import { KubectlLine } from '../editor/KubectlLine.tsx';
import { shellQuote } from '../editor/shell-quote.ts';
import { shorten } from '../lib/shorten.ts';
import { containersOf } from '../logs/containers.ts';
import { endAt, SearchField, Toggle, useFound } from '../logs/LogBar.tsx';
import type { LogLine } from '../logs/log-lines.ts';
import { LogLinePanel } from '../logs/LogLinePanel.tsx';
import { GroupLogs } from '../logs/GroupLogs.tsx';
import { isGroup } from '../logs/pods-of.ts';
import { LogList } from '../logs/LogList.tsx';
import { type Log, tailLines, useLog } from '../logs/use-log.ts';
import { useLogShow } from '../logs/use-log-show.ts';
import { engineIsHeard, useClock } from '../state/clock.ts';
import { withSwitch } from '../state/address.ts';
import { useNavigation } from '../state/navigation.ts';
import { useWhen } from '../state/use-when.ts';
import { texts } from '../texts/texts.ts';
import { usePast } from '../state/past.ts';

const words = texts.logs;
const nameMax = 120;

export function LogsPanel() {
  const { selected, logs } = useNavigation();
  const ids = logs === '' ? [selected] : logs.split(',');
  if (logs !== '' || isGroup(selected)) return <GroupLogs key={ids.join()} ids={ids} isChosen={logs !== ''} />;
  if (!selected.startsWith('pods/')) return <Empty title={words.noPod}>{words.noPodText}</Empty>;
  return <PodLogs key={selected} id={selected} />;
}

function PodLogs({ id }: { readonly id: string }) {
  const when = useWhen();
  const { object, name, synced } = useObject(id);
  const isHeard = useClock(engineIsHeard);
  const last = useLast(object);
  const chosen = useNavigation((state) => state.container);
  const [previous, setPrevious] = useLogShow('previous');
  const [times, setTimes] = useLogShow('times');
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
            const { go, logShow } = useNavigation.getState();
            go({ container: event.target.value, logShow: withSwitch(logShow, 'previous', false) });
          }}
        >
          {containers.map((one) => (
            <option key={one.name} value={one.name}>
              {`${shorten(one.name, nameMax)} · ${one.state}${one.restarts > 0 ? ` · ${words.restarted(one.restarts)}` : ''}`}
            </option>
          ))}
        </select>
        <Toggle name={words.follow} on={follow && !previous} disabled={previous} onClick={() => setFollow(!follow)} />
        <Toggle name={words.previous} on={previous} disabled={restarts === 0 && !previous} onClick={() => setPrevious(!previous)} />
        <Toggle name={words.times} on={times} onClick={() => setTimes(!times)} />
        <SearchField {...found} />
        <div className="grow" />
        <span className="muted">
          {pastMs === undefined ? '' : words.past(when(pastMs))}
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
        <div className="muted log-note" role="log" aria-label={words.label(shorten(name.name, nameMax))}>
          {log.state === 'reading' && lines.count === 0 && !isHeard ? <NotRead /> : emptyText(log, found.only, pastMs, previous)}
        </div>
      )}
      {opened ? <LogLinePanel line={opened} onClose={() => setOpened(undefined)} /> : null}
    </div>
  );
}

function emptyText({ state, detail, lines }: Log, only: boolean, pastMs: number | undefined, previous: boolean): string {
  if (state === 'failed') return '';
  if (state === 'none') return shorten(detail, 600);
  if (lines.count === 0) return state === 'ended' || previous ? words.nothingAtAll : words.nothing;
  return only ? words.nothingFound : pastMs === undefined ? words.nothing : words.nothingThen;
}

/** A pod that is gone is still told as it was last. */
function useLast(object: AnyObject | undefined): AnyObject | undefined {
  const last = useRef(object);
  if (object) last.current = object;
  return last.current;
}
