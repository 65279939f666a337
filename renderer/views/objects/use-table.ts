/** The server's Table of one resource, read again while time moves. */
import { useCallback, useEffect, useRef, useState } from 'react';
import type { KubeObject, ListMeta } from '../../../engine/apimachinery/object.ts';
import type { JsonValue } from '../../../engine/base/json.ts';
import { isAbort, messageOf, request, tableAccept } from '../../api/request.ts';
import { collectionPath, type Resource } from '../../api/resources.ts';
import { useClock } from '../../state/clock.ts';

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

/** `selector` is a field selector, '' for all; `search` is looked for in the names of all there are, not of those that are shown alone. */
export function useTable(resource: Resource | undefined, selector: string, search: string) {
  const of = resource && `${collectionPath(resource)}?${selector === '' ? '' : `fieldSelector=${encodeURIComponent(selector)}&`}`;
  const path = of && `${of}${search === '' ? '' : `nameContains=${encodeURIComponent(search)}&`}`;
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
      const { nowMs, clock, hearing } = useClock.getState();
      const moment = `${nowMs} ${clock?.status.revision ?? 0}`;
      if (moment === shown.current || (hearing !== 'heard' && hearing !== 'opening')) return;
      shown.current = moment;
      request<Table>(`${path}limit=${limit}&managedFields=false`, { accept: tableAccept, signal: abort.signal }).then(
        (table) => setAnswer({ of, path, table, error: '' }),
        (error: unknown) => {
          if (!isAbort(error)) setAnswer({ of, path, table: undefined, error: messageOf(error) });
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
