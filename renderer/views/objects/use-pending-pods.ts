/**
 * Pods of which kubectl's table says that they are pending and not why (no node has room for them, their image is pulled, a volume is waited for): read
 * whole, and only while the table has such rows.
 */
import { useMemo } from 'react';
import type { Pod } from '../../../engine/api/core/v1/types.gen.ts';
import { useReadAgain } from '../../api/read-again.ts';
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
  const path = table && hasOpen(table) ? pathOf(Math.min(most, Math.ceil(table.rows.length / step) * step), filter, search) : '';
  const { path: readFrom, value } = useReadAgain<{ readonly items: readonly Pod[] }>(path, false);
  return useMemo(() => {
    const pods = new Map<string, Pod>();
    if (path !== '' && readFrom !== '')
      for (const pod of value?.items ?? []) pods.set(`pods/${pod.metadata.namespace ?? ''}/${pod.metadata.name ?? ''}`, pod);
    return pods;
  }, [path, readFrom, value]);
}

function hasOpen({ columnDefinitions, rows }: Table): boolean {
  const at = columnDefinitions.findIndex(({ name }) => name === 'Status');
  return rows.some(({ cells }) => leavesOpen(String(cells[at] ?? '')));
}

function pathOf(limit: number, filter: string, search: string): string {
  const named = search === '' ? '' : `nameContains=${encodeURIComponent(search)}&`;
  return `/api/v1/pods?${filterQuery(filter, 'status.phase=Pending')}${named}limit=${limit}`;
}
