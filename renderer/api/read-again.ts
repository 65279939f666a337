/**
 * One computed object that no list holds, read while somebody looks at it and again while the cluster changes: never faster than the engine
 * answers, and more seldom where that is slow.
 */
import { useEffect, useState } from 'react';
import { momentNow } from '../state/clock.ts';
import { AskedAhead } from './asked-ahead.ts';
import { isAbort, messageOf, request } from './request.ts';

export interface LastRead<T> {
  /** What it was read from; empty before the first answer. */
  readonly path: string;
  readonly value: T | undefined;
  readonly error: string;
}

const lookMs = 250;
const pauseMs = 700;
/** The engine gives this page a twentieth of its time, but a picture is not left to grow old. */
const share = 20;
const pauseMostMs = 3000;

type Listener<T> = (answer: LastRead<T>) => void;

/** Parts of the page that show the same read it once for all of them. */
interface Reading {
  answer: LastRead<unknown> | undefined;
  readonly listeners: Set<Listener<unknown>>;
  readonly stop: () => void;
}

const readings = new Map<string, Reading>();
const askedAhead = new AskedAhead<Read>();

interface Read {
  /** When it was asked for, in the cluster's life. */
  readonly moment: string;
  readonly value: unknown;
}

/** For who will look at it at once. */
export function readAhead(path: string): void {
  if (!readings.has(keyOf(path, false))) askedAhead.keep(path, read(path, false));
}

async function read(path: string, isFixed: boolean, signal?: AbortSignal): Promise<Read> {
  const moment = momentOf(isFixed);
  return { moment, value: await request<unknown>(path, { quiet: true, ...(signal ? { signal } : {}) }) };
}

function momentOf(isFixed: boolean): string {
  return isFixed ? 'then' : momentNow();
}

function keyOf(path: string, isFixed: boolean): string {
  return `${isFixed} ${path}`;
}

/** An empty path reads nothing. What `isFixed` cannot change any more and is read once. The last answer stays until another path's is there. */
export function useReadAgain<T>(path: string, isFixed: boolean): LastRead<T> {
  const [answer, setAnswer] = useState<LastRead<T>>({ path: '', value: undefined, error: '' });
  useEffect(() => (path === '' ? undefined : listen(path, isFixed, setAnswer as Listener<unknown>)), [path, isFixed]);
  return answer;
}

function listen(path: string, isFixed: boolean, listener: Listener<unknown>): () => void {
  const key = keyOf(path, isFixed);
  const reading = readings.get(key) ?? begin(path, isFixed);
  readings.set(key, reading);
  reading.listeners.add(listener);
  if (reading.answer) listener(reading.answer);
  return () => {
    reading.listeners.delete(listener);
    if (reading.listeners.size > 0) return;
    readings.delete(key);
    reading.stop();
  };
}

function begin(path: string, isFixed: boolean): Reading {
  const abort = new AbortController();
  let shown = '';
  let notBefore = 0;
  let isAsking = false;
  const tell = (answer: LastRead<unknown>): void => {
    reading.answer = answer;
    for (const listener of reading.listeners) listener(answer);
  };
  const look = async (): Promise<void> => {
    if (isAsking || momentOf(isFixed) === shown || performance.now() < notBefore) return;
    isAsking = true;
    const began = performance.now();
    try {
      const { moment, value } = await ((shown === '' ? askedAhead.take(path) : undefined) ?? read(path, isFixed, abort.signal));
      shown = moment;
      tell({ path, value, error: '' });
    } catch (error) {
      if (!isAbort(error)) tell({ path, value: undefined, error: messageOf(error) });
    }
    isAsking = false;
    notBefore = performance.now() + Math.min(pauseMostMs, Math.max(pauseMs, (performance.now() - began) * share));
  };
  const timer = setInterval(() => void look(), lookMs);
  const reading: Reading = {
    answer: undefined,
    listeners: new Set(),
    stop: () => {
      abort.abort();
      clearInterval(timer);
    },
  };
  void look();
  return reading;
}
