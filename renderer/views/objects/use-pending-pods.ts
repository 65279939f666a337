/**
 * Pods of which kubectl's table says that they are pending and not why (no node has room for them, their image is pulled, a volume is waited for), or that
 * they run and not whether they are on their way to be ready: read whole, and only while the table has such rows.
 */
import { useMemo } from 'react';
import type { Pod } from '../../../engine/api/core/v1/types.gen.ts';
import { useReadAgain } from '../../api/read-again.ts';
import { stateInTable } from '../../components/states.ts';
import { mayBeLookedThrough } from './looked-through.ts';
import { filterQuery, type Table } from './use-table.ts';

/** The table's rows come in the same order: what is pending among so many of them is among so many that are pending. */
const step = 100;
/** Whoever scrolls further has kubectl's word alone: no view reads a whole list of thousands. */
const most = 500;
const open: ReadonlySet<string> = new Set(['Pending', 'ContainerCreating']);

/** Whether a word of kubectl's leaves open why a pod is not running. */
export function leavesOpen(status: string): boolean {
  return open.has(status);
}

/** By row id. `table` is of pods, or undefined; `filter` is what it was asked for with, `search` what was looked for in names. */
export function usePendingPods(table: Table | undefined, filter: string, search: string): ReadonlyMap<string, Pod> {
  const limit = Math.min(most, Math.ceil((table?.rows.length ?? 0) / step) * step);
  const named = search === '' ? '' : `nameContains=${encodeURIComponent(search)}&`;
  const has = (isSo: (status: string, ready: string) => boolean): boolean => table !== undefined && hasRow(table, isSo);
  const pending = usePods(has(leavesOpen) ? `${filterQuery(filter, 'status.phase=Pending')}${named}limit=${limit}` : '');
  // Of another state none of them is on its way.
  const isOther = filter.startsWith('state=') && filter !== starting;
  const query = filter === starting ? filterQuery(filter) : `${filterQuery(starting)}${filterQuery(filter)}`;
  const isAsked = !isOther && table !== undefined && mayBeLookedThrough(table) && has(isNotReady);
  const onTheirWay = usePods(isAsked ? `${query}${named}limit=${limit}` : '');
  return useMemo(() => new Map([...pending, ...onTheirWay].map((pod) => [idOf(pod), pod])), [pending, onTheirWay]);
}

const lostLook = 'look=Lost';

/** Row ids of those among the table's pods of which their nodes leave open how they are, as the engine counts them; undefined where it is not asked, or has not answered. */
export function useLostPods(table: Table | undefined, filter: string, search: string): ReadonlySet<string> | undefined {
  const count = table?.rows.length ?? 0;
  const isAsked = table !== undefined && count > 0 && count <= most && mayBeLookedThrough(table);
  const rest = filter.startsWith('look=') ? '' : filterQuery(filter);
  const named = search === '' ? '' : `nameContains=${encodeURIComponent(search)}&`;
  const limit = Math.ceil(count / step) * step;
  const pods = usePods(isAsked ? `${filterQuery(lostLook)}${rest}${named}limit=${limit}` : '');
  return useMemo(() => (isAsked && pods !== none ? new Set(pods.map(idOf)) : undefined), [isAsked, pods]);
}

function idOf({ metadata }: Pod): string {
  return `pods/${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
}

const starting = 'state=Starting';
const none: readonly Pod[] = [];

function usePods(query: string): readonly Pod[] {
  const path = query === '' ? '' : `/api/v1/pods?${query}`;
  const { path: readFrom, value } = useReadAgain<{ readonly items: readonly Pod[] }>(path, false);
  return path === '' || readFrom === '' ? none : (value?.items ?? none);
}

function hasRow({ columnDefinitions, rows }: Table, isAsked: (status: string, ready: string) => boolean): boolean {
  const [status, ready] = ['Status', 'Ready'].map((name) => columnDefinitions.findIndex((column) => column.name === name));
  return rows.some(({ cells }) => isAsked(String(cells[status ?? -1] ?? ''), String(cells[ready ?? -1] ?? '')));
}

function isNotReady(status: string, ready: string): boolean {
  return stateInTable(status, ready) === 'NotReady';
}
