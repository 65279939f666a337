/** The server's Table of one resource, read again while time moves. */
import { useCallback, useEffect, useRef, useState } from 'react';
import type { KubeObject, ListMeta } from '../../../engine/apimachinery/object.ts';
import type { JsonValue } from '../../../engine/base/json.ts';
import { isAbort, messageOf, request, tableAccept } from '../../api/request.ts';
import { collectionPath, findResource, parseRowId, type Resource, useResources } from '../../api/resources.ts';
import { AskedAhead } from '../../api/asked-ahead.ts';
import { engineIsHeard, momentNow, useClock } from '../../state/clock.ts';
import { onGoingTo } from '../../state/going.ts';

export interface Table {
  readonly metadata: ListMeta;
  readonly columnDefinitions: readonly { readonly name: string; readonly priority?: number }[];
  readonly rows: readonly { readonly cells: readonly JsonValue[]; readonly object: Pick<KubeObject, 'metadata'> }[];
}

const pageSize = 100;
const refreshMs = 1000;

/** `of` is what was asked for without the search: of it what was found before stays until the other answer is here. */
interface Answer {
  readonly of: string;
  readonly path: string;
  readonly table: Table | undefined;
  readonly error: string;
}

interface Read {
  /** When it was asked for, in the cluster's life. */
  readonly moment: string;
  readonly table: Table;
}

const askedAhead = new AskedAhead<Read>();

onGoingTo('objects', ({ kind, filter, search }) => {
  const resource = findResource(useResources.getState().resources, chosenKind(kind));
  if (resource === undefined) return;
  const path = pageOf(pathOf(resource, filter, search).path, pageSize);
  askedAhead.keep(path, readTable(path));
});

/** Which resource is listed, as the address has it. */
export function chosenKind(kind: string): Pick<Resource, 'resource' | 'group'> {
  return parseRowId(kind || 'pods');
}

function pathOf(resource: Resource, filter: string, search: string): { readonly of: string; readonly path: string } {
  const of = `${collectionPath(resource)}?${filterQuery(filter)}`;
  return { of, path: `${of}${search === '' ? '' : `nameContains=${encodeURIComponent(search)}&`}` };
}

/** Before what the overview and the map count pods by (`state=Starting`, `look=CrashLoop`), and how the engine is asked for it: anything else is a field selector. */
const counted = { 'state=': 'stateIs', 'look=': 'looksLike' } as const;

function prefixOf(filter: string): keyof typeof counted | undefined {
  return (Object.keys(counted) as (keyof typeof counted)[]).find((prefix) => filter.startsWith(prefix));
}

/** Of a request for a collection, '' for all; else it ends with `&`. `also` is a field selector. */
export function filterQuery(filter: string, also = ''): string {
  const prefix = prefixOf(filter);
  const selector = [prefix === undefined ? filter : '', also].filter((part) => part !== '').join(',');
  const state = prefix === undefined ? '' : `${counted[prefix]}=${encodeURIComponent(filter.slice(prefix.length))}&`;
  return `${state}${selector === '' ? '' : `fieldSelector=${encodeURIComponent(selector)}&`}`;
}

function pageOf(path: string, limit: number): string {
  return `${path}limit=${limit}&managedFields=false`;
}

async function readTable(path: string, signal?: AbortSignal): Promise<Read> {
  const moment = momentNow();
  return { moment, table: await request<Table>(path, { accept: tableAccept, ...(signal ? { signal } : {}) }) };
}

/** `filter` is a field selector, a state (`state=Starting`) or a look (`look=CrashLoop`), '' for all; `search` is looked for in the names of all there are, not of those that are shown alone. */
export function useTable(resource: Resource | undefined, filter: string, search: string) {
  const { of, path } = resource ? pathOf(resource, filter, search) : { of: undefined, path: undefined };
  const [limit, setLimit] = useState(pageSize);
  const [answer, setAnswer] = useState<Answer>({ of: '', path: '', table: undefined, error: '' });
  const shown = useRef('');
  useEffect(() => {
    setLimit(pageSize);
  }, [path]);
  useEffect(() => {
    if (!path || !of) return undefined;
    const abort = new AbortController();
    shown.current = '';
    const read = () => {
      const moment = momentNow();
      if (moment === shown.current || !engineIsHeard(useClock.getState())) return;
      const asked = shown.current === '' ? askedAhead.take(pageOf(path, limit)) : undefined;
      shown.current = moment;
      (asked ?? readTable(pageOf(path, limit), abort.signal)).then(
        ({ moment: askedAt, table }) => {
          if (abort.signal.aborted) return;
          // Of then: what has changed since is asked for with the next look.
          if (shown.current === moment) shown.current = askedAt;
          setAnswer({ of, path, table, error: '' });
        },
        (error: unknown) => {
          if (!isAbort(error) && !abort.signal.aborted) setAnswer({ of, path, table: undefined, error: messageOf(error) });
        },
      );
    };
    read();
    const timer = setInterval(read, refreshMs);
    return () => {
      abort.abort();
      clearInterval(timer);
    };
  }, [path, of, limit]);
  const more = useCallback(() => setLimit((before) => before + pageSize), []);
  return { table: answer.of === of ? answer.table : undefined, isFound: answer.path === path, error: answer.error, more };
}
