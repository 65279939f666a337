/** Every kind the server has, listed as kubectl lists it. */
import { X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { compareNames } from '../../../engine/component-helpers/name-order.ts';
import { type ActTarget, typeOf } from '../../acts/act.ts';
import { ActBar } from '../../acts/ActBar.tsx';
import { useLostNodes } from '../../api/lost-nodes.ts';
import { findResource, parseRowId, rowIdOf, useResources, type Resource } from '../../api/resources.ts';
import { Empty } from '../../components/Empty.tsx';
import { Told } from '../../components/Told.tsx';
import { ErrorBox } from '../../components/ErrorBox.tsx';
import { NotRead } from '../../components/NotRead.tsx';
import { shorten } from '../../lib/shorten.ts';
import { useFirstRows } from '../../lib/use-first-rows.ts';
import { hasLogs } from '../../logs/pods-of.ts';
import { useNavigation } from '../../state/navigation.ts';
import { texts } from '../../texts/texts.ts';
import { beginWith } from '../create/read-file.ts';
import { samples } from '../create/samples.ts';
import { StatusCell } from './StatusCell.tsx';
import { chosenKind, useTable, type Table } from './use-table.ts';
import { useLostPods, usePendingPods } from './use-pending-pods.ts';

const words = texts.objects;
const cellMax = 300;
const headMax = 60;

export function ObjectsView() {
  const { resources, error, load } = useResources();
  const { search, kind, filter, go } = useNavigation();
  const chosen = chosenKind(kind);
  const resource = findResource(resources, chosen);
  const { table, isFound, error: tableError, more } = useTable(resource, filter, search);
  const choose = ({ resource: name, group }: Resource): void => go({ kind: group === '' ? name : `${name}.${group}`, filter: '' });
  return (
    <>
      <div className="view-head">
        <h1>{words.title}</h1>
        <input
          type="search"
          className="field"
          placeholder={words.filterHint}
          aria-label={words.filter}
          value={search}
          onChange={(event) => go({ search: event.target.value })}
        />
        {filter ? (
          <button type="button" className="button" title={words.clearFilter} onClick={() => go({ filter: '' })}>
            <code>{shorten(filter, 80)}</code>
            <X size={13} aria-hidden />
          </button>
        ) : null}
        <KindSelect resources={resources} chosen={resource} onChoose={choose} />
        <span className="muted dense objects-about">
          {resource ? words.about(resource.kind, `${resource.group || words.core}/${resource.version}`) : ''}
          {table && isFound ? countOf(table, search !== '' || filter !== '') : ''}
        </span>
      </div>
      {error ? (
        <ErrorBox
          title={words.kindsUnread}
          detail={error}
          onRetry={() => {
            void load();
          }}
        />
      ) : null}
      <div className="view-body">
        <div className="objects">
          <KindList resources={resources} chosen={chosen} onChoose={choose} />
          <div className="table-wrap" tabIndex={0} role="region" aria-label={words.title}>
            {tableError ? <ErrorBox title={words.unlisted(chosen.resource)} detail={tableError} /> : null}
            {table && resource ? (
              <ObjectTable key={`${resource.resource}.${resource.group}`} {...{ table, resource, search, isFound }} onMore={more} />
            ) : tableError ? null : (
              <NotRead />
            )}
          </div>
        </div>
      </div>
    </>
  );
}

function countOf({ rows, metadata }: Table, isPart: boolean): string {
  const { remainingItemCount } = metadata;
  const hasMore = Boolean(metadata.continue) && remainingItemCount === undefined;
  return words.count(rows.length + (remainingItemCount ?? 0), hasMore, isPart);
}

/** The same choice where there is no room for the list: beside an open inspector on a small screen. */
function KindSelect({
  resources,
  chosen,
  onChoose,
}: {
  readonly resources: readonly Resource[];
  readonly chosen: Resource | undefined;
  readonly onChoose: (resource: Resource) => void;
}) {
  const listable = resources.filter((one) => one.listable);
  return (
    <select
      className="field objects-kind"
      aria-label={words.kinds}
      value={chosen ? listable.indexOf(chosen) : ''}
      onChange={(event) => {
        const one = listable[Number(event.target.value)];
        if (one) onChoose(one);
      }}
    >
      {listable.map((one, index) => (
        <option key={`${one.resource}.${one.group}`} value={index}>
          {one.group === '' ? one.kind : words.about(one.kind, one.group)}
        </option>
      ))}
    </select>
  );
}

function KindList({
  resources,
  chosen,
  onChoose,
}: {
  readonly resources: readonly Resource[];
  readonly chosen: { resource: string; group: string };
  readonly onChoose: (resource: Resource) => void;
}) {
  const groups = [...new Set(resources.filter(({ listable }) => listable).map(({ group }) => group))];
  return (
    <div className="kind-list" data-rows="button" role="group" aria-label={words.kinds}>
      {groups.map((group) => (
        <div key={group}>
          <h2 className="small-title">{group || words.core}</h2>
          {resources
            .filter((one) => one.group === group && one.listable)
            .map((one) => (
              <button
                key={one.resource}
                type="button"
                aria-pressed={one.resource === chosen.resource && one.group === chosen.group}
                onClick={() => onChoose(one)}
              >
                {one.kind}
              </button>
            ))}
        </div>
      ))}
    </div>
  );
}

function isRoomy(type: string, column: string): boolean {
  return type === 'pods' && column === 'Node';
}

/** Nothing is acted upon that is not seen: what was chosen and is gone, or is left out by a search, counts again when it is listed again. */
function ObjectTable({
  table,
  resource,
  search,
  isFound,
  onMore,
}: {
  readonly table: Table;
  readonly resource: Resource;
  readonly search: string;
  /** The table is of what the search finds; until then it is of the one before. */
  readonly isFound: boolean;
  readonly onMore: () => void;
}) {
  const { selected, select, filter } = useNavigation();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const lost = useLostNodes();
  const pending = usePendingPods(typeOf(resource) === 'pods' ? table : undefined, filter, search);
  const lostPods = useLostPods(typeOf(resource) === 'pods' && lost.size > 0 ? table : undefined, filter, search);
  const columns = table.columnDefinitions
    .map((column, index) => ({ ...column, index }))
    // Where a pod is is asked first of those that kubectl leaves to `-o wide`; it stands there where there is room.
    .filter(({ priority, name }) => (priority ?? 0) === 0 || isRoomy(typeOf(resource), name));
  const rows = inOrder(table).filter(({ object }) => (object.metadata.name ?? '').includes(search));
  const shown = useFirstRows(rows, `${typeOf(resource)} ${search}`);
  const ids = rows.map(({ object: { metadata } }) => rowIdOf(resource, metadata.namespace, metadata.name ?? ''));
  const listed = new Set(ids);
  // In the order in which they were chosen.
  const seen = [...chosen].filter((id) => listed.has(id));
  const acts = <ChosenActs {...{ resource, ids: seen }} onClear={() => setChosen(new Set())} />;
  if (rows.length === 0 && !isFound) return <>{acts}</>;
  if (rows.length === 0)
    return (
      <>
        {acts}
        <Empty title={search ? words.noneCalled(resource.kind, search) : words.none(resource.resource)}>
          {search ? words.clearSearch : <Told parts={words.howToMake} />}
          {search || samples.every(({ kind }) => kind !== resource.kind) ? null : (
            <button type="button" className="button" onClick={() => beginWith(resource.kind)}>
              {words.writeOne}
            </button>
          )}
        </Empty>
      </>
    );
  const nodeAt = typeOf(resource) === 'pods' ? table.columnDefinitions.findIndex(({ name }) => name === 'Node') : -1;
  return (
    <>
      {acts}
      <table className="table">
        <thead>
          <tr>
            <th>
              <AllBox chosen={seen.length} of={ids.length} onChange={(all) => setChosen(all ? new Set([...chosen, ...ids]) : without(chosen, ids))} />
            </th>
            {resource.namespaced ? <th>{words.namespace}</th> : null}
            {columns.map(({ name, index }) => (
              <th key={index} className={isRoomy(typeOf(resource), name) ? 'roomy' : ''} title={shorten(name, cellMax)}>
                {shorten(name, headMax)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map(({ cells, object: { metadata } }) => {
            const id = rowIdOf(resource, metadata.namespace, metadata.name ?? '');
            return (
              <tr key={id} className={id === selected ? 'is-selected' : ''}>
                <td className="tight">
                  <input
                    type="checkbox"
                    aria-label={texts.acts.choose(shorten([metadata.namespace, metadata.name].filter(Boolean).join('/'), cellMax))}
                    checked={chosen.has(id)}
                    onChange={() => setChosen(toggled(chosen, id))}
                  />
                </td>
                {resource.namespaced ? <td className="muted tight">{metadata.namespace}</td> : null}
                {columns.map(({ name, index }, at) => (
                  <td key={index} className={isRoomy(typeOf(resource), name) ? 'tight roomy' : 'tight'}>
                    {at === 0 ? (
                      <button type="button" className="link mono" title={shorten(String(cells[index] ?? ''), cellMax)} onClick={() => select(id)}>
                        {shorten(String(cells[index] ?? ''), cellMax)}
                      </button>
                    ) : name === 'Status' && signed.has(typeOf(resource)) ? (
                      <StatusCell
                        status={String(cells[index] ?? '')}
                        ready={String(cells[columns.find((one) => one.name === 'Ready')?.index ?? -1] ?? '')}
                        node={String(cells[nodeAt] ?? '')}
                        isLost={lostPods?.has(id) ?? lost.has(String(cells[nodeAt] ?? ''))}
                        pod={pending.get(id)}
                      />
                    ) : (
                      shorten(String(cells[index] ?? ''), cellMax)
                    )}
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
      {table.metadata.continue ? (
        <p style={{ padding: 12 }}>
          <button type="button" className="button" onClick={onMore}>
            {words.more(table.metadata.remainingItemCount ?? 0)}
          </button>
        </p>
      ) : null}
    </>
  );
}

/** As people count; of a list of which more is to come, as it comes: nobody knows what stands between. */
function inOrder({ rows, metadata }: Table): Table['rows'] {
  if (metadata.continue) return rows;
  return rows.toSorted(
    ({ object: { metadata: a } }, { object: { metadata: b } }) =>
      compareNames(a.namespace ?? '', b.namespace ?? '') || compareNames(a.name ?? '', b.name ?? ''),
  );
}

/** What can be done to all that are chosen; of what has gone meanwhile, what came of the last act. */
function ChosenActs({ resource, ids, onClear }: { readonly resource: Resource; readonly ids: readonly string[]; readonly onClear: () => void }) {
  return (
    <div className="acts many">
      {ids.length === 0 ? null : (
        <div className="row">
          <strong>{texts.acts.chosen(ids.length)}</strong>
          {ids.every(hasLogs) ? (
            <button
              type="button"
              className="button"
              title={texts.logs.openTitle}
              onClick={() => useNavigation.getState().go({ drawer: 'logs', logs: ids.join(',') })}
            >
              {texts.logs.open}
            </button>
          ) : null}
          <button type="button" className="button quiet" onClick={onClear}>
            {texts.acts.clear}
          </button>
        </div>
      )}
      <ActBar targets={ids.map((id) => targetOf(id, resource))} />
    </div>
  );
}

function AllBox({ chosen, of, onChange }: { readonly chosen: number; readonly of: number; readonly onChange: (all: boolean) => void }) {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current) box.current.indeterminate = chosen > 0 && chosen < of;
  }, [chosen, of]);
  return (
    <input
      ref={box}
      type="checkbox"
      aria-label={texts.acts.chooseAll(of)}
      title={texts.acts.chooseAll(of)}
      checked={chosen === of}
      onChange={() => onChange(chosen < of)}
    />
  );
}

function without(chosen: ReadonlySet<string>, ids: readonly string[]): ReadonlySet<string> {
  const left = new Set(chosen);
  for (const id of ids) left.delete(id);
  return left;
}

/** Kinds whose status is a state. */
const signed: ReadonlySet<string> = new Set(['pods', 'nodes']);

function targetOf(id: string, resource: Resource): ActTarget {
  const { namespace, name } = parseRowId(id);
  return { id, resource, namespace, name, object: undefined };
}

function toggled(chosen: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(chosen);
  if (!next.delete(id)) next.add(id);
  return next;
}
