/** The log of one container, read anew whenever it restarted or the engine came back. */
import { useEffect, useState } from 'react';
import { ApiError, isAbort, messageOf } from '../api/request.ts';
import { engineIsHeard, useClock } from '../state/clock.ts';
import { followLog } from './follow-log.ts';
import { LogLines } from './log-lines.ts';

/** Of what was written before the page looked. */
export const tailLines = 5_000;

export interface Log {
  readonly lines: LogLines;
  /** Changes whenever there is more. */
  readonly version: number;
  readonly state: 'reading' | 'ended' | 'none' | 'failed';
  /** Why there is none, or why it failed. */
  readonly detail: string;
}

export interface LogOf {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  readonly previous: boolean;
  /** Of the container's runs: another begins another log. */
  readonly life: string;
}

export function useLog({ namespace, pod, container, previous, life }: LogOf): Log {
  const [log, setLog] = useState<Log>(() => ({ lines: new LogLines(), version: 0, state: 'reading', detail: '' }));
  const isHeard = useClock(engineIsHeard);
  useEffect(() => {
    // Without an engine the lines that were read stay.
    if (container === '' || !isHeard) return undefined;
    const abort = new AbortController();
    const lines = new LogLines();
    const show = (state: Log['state'], detail = ''): void => setLog(({ version }) => ({ lines, version: version + 1, state, detail }));
    const query = new URLSearchParams({ container, timestamps: 'true', tailLines: String(tailLines) });
    query.set(previous ? 'previous' : 'follow', 'true');
    show('reading');
    const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(pod)}/log?${query.toString()}`;
    followLog(path, abort.signal, lines, () => show('reading')).then(
      () => show('ended'),
      (error: unknown) => {
        // Not begun yet, or begun once only: the server says so as a bad request.
        if (!isAbort(error)) show(error instanceof ApiError && error.code === 400 ? 'none' : 'failed', messageOf(error));
      },
    );
    return () => abort.abort();
  }, [namespace, pod, container, previous, life, isHeard]);
  return log;
}
