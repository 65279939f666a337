/** What changed between two instants, as a table: each row leads to its last change. */
import { Copy, X } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import type { Difference, DifferenceStatus } from '../../../engine/api/sim/v1alpha1/change.ts';
import { messageOf } from '../../api/request.ts';
import { Empty } from '../../components/Empty.tsx';
import { ErrorBox } from '../../components/ErrorBox.tsx';
import { parseInstant } from '../../lib/format.ts';
import { shorten } from '../../lib/shorten.ts';
import { useFirstRows } from '../../lib/use-first-rows.ts';
import { goToChange } from '../../shell/inspector/use-change-keys.ts';
import { useClock } from '../../state/clock.ts';
import { useNavigation } from '../../state/navigation.ts';
import { useNotices } from '../../state/notices.ts';
import { useWhen } from '../../state/use-when.ts';
import { texts } from '../../texts/texts.ts';
import { toTable } from './difference-table.ts';
import { type DifferencesAsked, readAll, useDifferences } from './use-differences.ts';

const words = texts.changes;
const types = Object.keys(words.types) as readonly (keyof typeof words.types)[];
const none: readonly never[] = [];
/** Below the rows, at most. */
const windowShare = 0.4;
const fieldsShown = 3;
const valueMax = 60;

interface DifferencesProps {
  readonly compared: readonly [number, number];
  /** What was deleted before is no longer known; undefined where all is. */
  readonly forgottenUntilMs: number | undefined;
}

export function Differences({ compared, forgottenUntilMs }: DifferencesProps) {
  const when = useWhen();
  const { became, find, go } = useNavigation();
  const change = types.find((one) => one === became) ?? '';
  const asked: DifferencesAsked = { compared, change, search: useDeferredValue(find) };
  const { items, remaining, error, more } = useDifferences(asked);
  const shown = useFirstRows(items ?? none, `${compared.join()} ${change} ${asked.search}`, window.innerHeight * windowShare);
  return (
    <section className="side-table differences" aria-label={words.region}>
      <div className="differences-head">
        <strong>{words.between}</strong>
        <Instants compared={compared} />
        <select className="field" aria-label={words.type} value={change} onChange={(event) => go({ became: event.target.value })}>
          {types.map((one) => (
            <option key={one} value={one}>
              {words.types[one]}
            </option>
          ))}
        </select>
        <input
          type="search"
          className="field"
          aria-label={words.search}
          placeholder={words.search}
          value={find}
          onChange={(event) => go({ find: event.target.value })}
        />
        <span className="muted" role="status">
          {items ? words.total(items.length + remaining) : ''}
          {forgottenUntilMs !== undefined && compared[0] < forgottenUntilMs ? words.forgotten(when(forgottenUntilMs)) : ''}
        </span>
        <span className="grow" />
        <button type="button" className="button" disabled={!items?.length} onClick={() => void copy(asked)}>
          <Copy size={13} aria-hidden />
          {words.copy}
        </button>
        <button type="button" className="button icon quiet" aria-label={words.close} onClick={() => go({ compared: undefined })}>
          <X size={15} aria-hidden />
        </button>
      </div>
      {error ? <ErrorBox title={words.cannotCompare} detail={error} /> : null}
      {items?.length === 0 ? <Empty title={words.none}>{words.noneText}</Empty> : null}
      {items?.length ? (
        <table className="table">
          <thead>
            <tr>
              {Object.values(words.columns).map((name) => (
                <th key={name}>{name}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((item) => (
              <Row key={`${item.status.subject.row} ${item.status.subject.uid}`} item={item} />
            ))}
          </tbody>
        </table>
      ) : null}
      {remaining > 0 ? (
        <button type="button" className="button more" onClick={more}>
          {words.more(remaining)}
        </button>
      ) : null}
    </section>
  );
}

function Row({ item: { status } }: { readonly item: Difference }) {
  const go = useNavigation((state) => state.go);
  const when = useWhen();
  const { subject, change, revision, ms, actor = '', events, warnings, lastEvent, isCut } = status;
  return (
    <tr>
      <td className="tight mono">{when(ms, true)}</td>
      <td>
        <span className="muted">{subject.kind} </span>
        <button
          type="button"
          className="link mono"
          title={subject.row}
          onClick={() =>
            revision === undefined ? go({ selected: subject.row, tab: 'events', revision: undefined }) : goToChange(subject.row, revision)
          }
        >
          {shorten(subject.name, 80)}
        </button>
      </td>
      <td className={`tight change-${change.toLowerCase()}`}>{words.types[change]}</td>
      <td className="what">
        <What status={status} />
        {isCut ? <div className="muted">{words.cut}</div> : null}
      </td>
      <td>
        {warnings > 0 ? <span className="warn">{words.warnings(warnings)}</span> : events > 0 ? words.events(events) : ''}
        {lastEvent ? <div className="muted ellipsis-2">{shorten(lastEvent, 160)}</div> : null}
      </td>
      <td className="muted tight">{actor}</td>
    </tr>
  );
}

function What({ status: { fields, moreFields = 0, facts = [], changes, change, state } }: { readonly status: DifferenceStatus }) {
  if (fields === undefined)
    return facts.length > 0 ? (
      <>{shorten(facts.slice(-fieldsShown).join('; '), 300)}</>
    ) : (
      <>
        {state}
        <span className="muted">{changes > 0 ? words.writesAfter(changes, state !== undefined) : ''}</span>
      </>
    );
  if (fields.length === 0) return <span className="muted">{change === 'Changed' ? words.asBefore(changes) : ''}</span>;
  const rest = fields.length - fieldsShown + moreFields;
  return (
    <>
      {fields.slice(0, fieldsShown).map(({ path, before, after }) => (
        <div key={path}>
          <code title={path}>{shorten(path, 80)}</code>{' '}
          <span className="muted">{before === undefined ? words.nothing : shorten(before, valueMax)}</span> {words.arrow}{' '}
          {after === undefined ? <span className="muted">{words.nothing}</span> : shorten(after, valueMax)}
        </div>
      ))}
      {rest > 0 ? <div className="muted">{words.moreFields(rest)}</div> : null}
    </>
  );
}

/** Both can be typed. */
function Instants({ compared }: { readonly compared: readonly [number, number] }) {
  const go = useNavigation((state) => state.go);
  const [typed, setTyped] = useState(compared.map(showInstant) as [string, string]);
  const submit = () => {
    const { nowMs } = useClock.getState();
    const instants = typed.map((text, index) => (text === showInstant(compared[index] ?? 0) ? compared[index] : parseInstant(text, nowMs)));
    const wrong = instants.findIndex((ms) => ms === undefined);
    const [from = 0, to = 0] = instants;
    const title = wrong >= 0 ? words.notATime(typed[wrong] ?? '') : from >= to || from > nowMs ? words.wrongOrder : '';
    if (title) useNotices.getState().tell({ level: 'error', title, detail: words.writeSo });
    else go({ compared: [from, to] });
  };
  return (
    <form
      className="instants"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <input className="field mono" aria-label={words.firstInstant} value={typed[0]} onChange={(event) => setTyped([event.target.value, typed[1]])} />
      {words.and}
      <input
        className="field mono"
        aria-label={words.secondInstant}
        value={typed[1]}
        onChange={(event) => setTyped([typed[0], event.target.value])}
      />
      <button type="submit" className="sr-only">
        {words.compare}
      </button>
    </form>
  );
}

function showInstant(ms: number): string {
  return new Date(ms).toISOString().replace('T', ' ').replace('Z', '');
}

async function copy(asked: DifferencesAsked): Promise<void> {
  const { tell } = useNotices.getState();
  try {
    const { items, isPart } = await readAll(asked);
    const table = toTable(items);
    await navigator.clipboard.writeText(table).catch(() => {
      throw new Error(words.notCopiedText);
    });
    tell({ level: 'info', title: words.copied(table.split('\n').length), ...(isPart ? { detail: words.copiedPart(items.length) } : {}) });
  } catch (error) {
    tell({ level: 'error', title: words.notCopied, detail: messageOf(error) });
  }
}
