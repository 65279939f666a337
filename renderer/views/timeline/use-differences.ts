/** What differs between two instants, page after page, as the engine finds it. */
import { useCallback, useEffect, useState } from 'react';
import type { Difference } from '../../../engine/api/sim/v1alpha1/change.ts';
import { AskedAhead } from '../../api/asked-ahead.ts';
import { isAbort, messageOf, request } from '../../api/request.ts';

const path = '/apis/sim.wavetank.dev/v1alpha1/differences';
/** More than the table shows at once; what is asked for after that comes in longer pages. */
const firstPage = 40;
const pageSize = 200;
/** So many are copied at most. */
const copiedMax = 5_000;
const copiedPage = 1_000;

interface DifferenceList {
  readonly metadata: { readonly continue?: string; readonly remainingItemCount?: number };
  readonly items: readonly Difference[];
}

export interface DifferencesAsked {
  readonly compared: readonly [number, number];
  readonly change: string;
  readonly search: string;
}

export interface DifferencesFound {
  /** Undefined until the first page is here. */
  readonly items: readonly Difference[] | undefined;
  readonly remaining: number;
  readonly error: string;
  more(): void;
}

interface State {
  readonly asked: string;
  readonly items: readonly Difference[] | undefined;
  readonly next: string;
  readonly remaining: number;
  readonly error: string;
}

const askedAhead = new AskedAhead<DifferenceList>();

export function askForDifferences(query: DifferencesAsked): void {
  const asked = queryOf(query);
  askedAhead.keep(asked, read(asked, '', firstPage));
}

export function useDifferences(query: DifferencesAsked): DifferencesFound {
  const asked = queryOf(query);
  const [state, setState] = useState<State>({ asked, items: undefined, next: '', remaining: 0, error: '' });
  useEffect(() => {
    const abort = new AbortController();
    (askedAhead.take(asked) ?? read(asked, '', firstPage, abort.signal)).then(
      ({ items, metadata }) => {
        if (!abort.signal.aborted) setState({ asked, items, next: metadata.continue ?? '', remaining: metadata.remainingItemCount ?? 0, error: '' });
      },
      (error: unknown) => {
        if (!isAbort(error) && !abort.signal.aborted) setState({ asked, items: undefined, next: '', remaining: 0, error: messageOf(error) });
      },
    );
    return () => abort.abort();
  }, [asked]);
  const { next } = state;
  const more = useCallback(() => {
    read(asked, next, pageSize).then(
      ({ items, metadata }) =>
        setState((before) =>
          before.asked === asked && before.next === next
            ? { ...before, items: [...(before.items ?? []), ...items], next: metadata.continue ?? '', remaining: metadata.remainingItemCount ?? 0 }
            : before,
        ),
      (error: unknown) => setState((before) => ({ ...before, error: messageOf(error) })),
    );
  }, [asked, next]);
  return { items: state.items, remaining: state.remaining, error: state.error, more };
}

/** For a copy: as many as there are, up to a bound. */
export async function readAll(query: DifferencesAsked): Promise<{ readonly items: readonly Difference[]; readonly isPart: boolean }> {
  const items: Difference[] = [];
  let next = '';
  do {
    const page = await read(queryOf(query), next, copiedPage);
    items.push(...page.items);
    next = page.metadata.continue ?? '';
  } while (next !== '' && items.length < copiedMax);
  return { items, isPart: next !== '' };
}

function read(asked: string, next: string, limit: number, signal?: AbortSignal): Promise<DifferenceList> {
  const page = new URLSearchParams({ limit: String(limit), continue: next });
  return request<DifferenceList>(`${path}?${asked}&${page.toString()}`, signal ? { signal } : {});
}

function queryOf({ compared: [from, to], change, search }: DifferencesAsked): string {
  const params = new URLSearchParams({ from: String(from), to: String(to) });
  if (change) params.set('change', change);
  if (search) params.set('search', search);
  return params.toString();
}
