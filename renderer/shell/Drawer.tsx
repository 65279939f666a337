/** Below everything: the cluster's Events, the selected pod's logs, and the requests this page made. */
import { ChevronDown, ChevronUp } from 'lucide-react';
import { useMemo, useSyncExternalStore } from 'react';
import type { EventRow } from '../../engine/component-helpers/page-rows.ts';
import { requestLog } from '../api/request.ts';
import { useCollection } from '../api/watches.ts';
import { Empty } from '../components/Empty.tsx';
import { EventTable } from '../components/EventTable.tsx';
import { NotRead } from '../components/NotRead.tsx';
import { LogsPanel } from './LogsPanel.tsx';
import { NowBadge } from './OfNow.tsx';
import { besideTab } from '../lib/beside-tab.ts';
import { type DrawerTab, drawers, useNavigation } from '../state/navigation.ts';
import { texts } from '../texts/texts.ts';

const words = texts.frame.drawer;

export function Drawer() {
  const { drawer, lastDrawer, go, set } = useNavigation();
  const isOpen = drawer !== '';
  const Chevron = isOpen ? ChevronDown : ChevronUp;
  const open = (one: DrawerTab): void => {
    set({ lastDrawer: one });
    go({ drawer: one });
  };
  return (
    <section className={`drawer ${isOpen ? 'open' : ''}`} aria-label={words.label}>
      <div className="drawer-bar">
        <div className="tabs" role="tablist" aria-label={words.label}>
          {drawers.map((one) => (
            <button
              key={one}
              type="button"
              role="tab"
              aria-selected={drawer === one}
              onClick={() => (drawer === one ? go({ drawer: '' }) : open(one))}
              onKeyDown={(event) => {
                const next = besideTab(event.key, drawers, one);
                if (next === undefined) return;
                event.preventDefault();
                if (isOpen) open(next);
                event.currentTarget.parentElement?.querySelectorAll('button')[drawers.indexOf(next)]?.focus();
              }}
            >
              {words.tabs[one]}
            </button>
          ))}
        </div>
        {drawer === 'events' ? <WhichEvents /> : null}
        {isOpen ? <NowBadge /> : null}
        <div className="grow" />
        <button
          type="button"
          className="button icon quiet"
          aria-label={isOpen ? words.close : words.open}
          aria-expanded={isOpen}
          onClick={() => (isOpen ? go({ drawer: '' }) : open(lastDrawer))}
        >
          <Chevron size={15} aria-hidden />
        </button>
      </div>
      {isOpen ? (
        <div className="drawer-body" tabIndex={0} role="tabpanel" aria-label={words.tabs[drawer]}>
          {drawer === 'events' ? <AllEvents /> : drawer === 'logs' ? <LogsPanel /> : <Requests />}
        </div>
      ) : null}
    </section>
  );
}

function WhichEvents() {
  const { warnings, go } = useNavigation();
  return (
    <div className="segmented" role="group" aria-label={words.whichEvents}>
      {[false, true].map((only) => (
        <button key={String(only)} type="button" aria-pressed={warnings === only} onClick={() => go({ warnings: only })}>
          {only ? words.onlyWarnings : words.allEvents}
        </button>
      ))}
    </div>
  );
}

const shownMax = 200;

function AllEvents() {
  const only = useNavigation(({ warnings }) => warnings);
  const { rows, version, synced } = useCollection(`/api/v1/events?newest=${shownMax}${only ? '&fieldSelector=type%3DWarning' : ''}`, 'event');
  const newest = useMemo(() => {
    void version;
    return newestFirst(rows.values());
  }, [rows, version]);
  if (synced && newest.length === 0)
    return only ? <Empty title={words.noWarnings}>{words.noWarningsText}</Empty> : <Empty title={words.noEvents}>{words.noEventsText}</Empty>;
  if (!synced && newest.length === 0) return <NotRead />;
  return <EventTable events={newest} withObject />;
}

function newestFirst(events: Iterable<EventRow>): EventRow[] {
  return [...events].sort((a, b) => b.ms - a.ms).slice(0, shownMax);
}

function Requests() {
  const log = useSyncExternalStore(requestLog.subscribe, requestLog.get);
  return (
    <table className="table">
      <thead>
        <tr>
          <th>{words.requests.method}</th>
          <th>{words.requests.path}</th>
          <th className="number">{words.requests.code}</th>
          <th className="number">{words.requests.time}</th>
        </tr>
      </thead>
      <tbody>
        {log.map(({ method, path, code, wallMs }, index) => (
          <tr key={index}>
            <td>{method}</td>
            <td>
              <code>{path}</code>
            </td>
            <td className={`number ${code >= 400 ? 'bad' : ''}`}>{code}</td>
            <td className="number tight">{words.requests.wallMs(wallMs)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
