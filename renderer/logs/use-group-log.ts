/**
 * Logs of several pods as one. Browsers hold a handful of connections to a page's server, so none of them is followed on a connection of its
 * own: each is read again from where it was while time passes, a few at once, never faster than the engine answers.
 */
import { useEffect, useState } from 'react';
import { branchBase } from '../api/branch.ts';
import type { AnyObject } from '../api/objects.ts';
import { ApiError, isAbort, messageOf, toError } from '../api/request.ts';
import { useResources } from '../api/resources.ts';
import { engineIsHeard, momentNow, useClock } from '../state/clock.ts';
import { texts } from '../texts/texts.ts';
import { containersOf } from './containers.ts';
import { LogTail } from './log-tail.ts';
import { MergedLines } from './merged-lines.ts';
import { readPods } from './pods-of.ts';

const words = texts.logs;
const lookMs = 250;
const pauseMs = 700;
/** The engine gives this page a twentieth of its time, but a log is not left to grow old. */
const share = 20;
const pauseMostMs = 3000;
const atOnce = 3;
export const logsMax = 24;
/** Of each, before the page looked, and of what came since it looked last. */
export const groupTailLines = 1_000;
/** Of what a page can hold; lines of all together are held as those of one log. */
const shareOfOne = 1 / 8;
const bytesMax = 1_000_000;
const colours = 6;

export interface LogPart {
  readonly key: string;
  readonly name: string;
  readonly colour: number;
  readonly state: string;
}
export interface GroupLog {
  readonly lines: MergedLines;
  readonly version: number;
  readonly isRead: boolean;
  readonly parts: readonly LogPart[];
  /** Pods, and containers of those that are read, that are left out. */
  readonly more: number;
  /** How often containers of them began anew. */
  readonly restarts: number;
  /** Something was written faster than it was read. */
  readonly isCut: boolean;
  readonly selectors: ReadonlyMap<string, string>;
  /** What could not be read, '' when all could. */
  readonly error: string;
}

class Part {
  readonly tail: LogTail;
  readonly name: { readonly name: string; readonly colour: number };
  /** Of the container, when it was last read: what has not begun anew since, and does not run, has nothing to add. */
  life = '';
  state = '';
  isGone = false;
  constructor(name: string, colour: number) {
    this.tail = new LogTail(shareOfOne);
    this.name = { name, colour };
  }
}

const nothing: GroupLog = {
  lines: new MergedLines(),
  version: 0,
  isRead: false,
  parts: [],
  more: 0,
  restarts: 0,
  isCut: false,
  selectors: new Map(),
  error: '',
};

/** `ids` are row ids of pods and of what selects pods; `isPrevious`: what containers wrote before they last began anew. */
export function useGroupLog(ids: readonly string[], isPrevious: boolean): GroupLog {
  const [log, setLog] = useState(nothing);
  const isHeard = useClock(engineIsHeard);
  const resources = useResources((state) => state.resources);
  const asked = ids.join();
  useEffect(() => {
    if (!isHeard || resources.length === 0) return undefined;
    const abort = new AbortController();
    const reader = new GroupReader(asked.split(','), isPrevious, abort.signal);
    let [shown, notBefore, isAsking] = ['', 0, false];
    const look = async (): Promise<void> => {
      const moment = momentNow();
      if (isAsking || moment === shown || performance.now() < notBefore) return;
      isAsking = true;
      const began = performance.now();
      try {
        const next = await reader.read(useClock.getState().nowMs);
        shown = moment;
        setLog(({ version }) => ({ ...next, version: version + 1 }));
      } catch (error) {
        if (!isAbort(error)) setLog((before) => ({ ...before, isRead: true, error: messageOf(error) }));
      }
      isAsking = false;
      notBefore = performance.now() + Math.min(pauseMostMs, Math.max(pauseMs, (performance.now() - began) * share));
    };
    void look();
    const timer = setInterval(() => void look(), lookMs);
    return () => {
      abort.abort();
      clearInterval(timer);
    };
  }, [asked, isPrevious, isHeard, resources]);
  return log;
}

class GroupReader {
  readonly #ids: readonly string[];
  readonly #signal: AbortSignal;
  readonly #isPrevious: boolean;
  readonly #parts = new Map<string, Part>();
  #lines = new MergedLines();
  #isCut = false;
  #errors: string[] = [];

  constructor(ids: readonly string[], isPrevious: boolean, signal: AbortSignal) {
    this.#ids = ids;
    this.#isPrevious = isPrevious;
    this.#signal = signal;
  }

  async read(nowMs: number): Promise<Omit<GroupLog, 'version'>> {
    const { pods, more, selectors } = await readPods(useResources.getState().resources, this.#ids, this.#signal);
    const containers = pods.flatMap((pod) => appContainersOf(pod).map((container) => ({ pod, container })));
    const told = this.#isPrevious ? containers.filter(({ container }) => container.restarts > 0) : containers;
    const asked = told.slice(0, logsMax);
    const isOne = pods.every((pod) => appContainersOf(pod).length === 1);
    this.#errors = [];
    const jobs = asked.map(
      ({ pod, container }) =>
        () =>
          this.#readOne(pod, container, isOne),
    );
    const work = async (): Promise<void> => {
      for (let job = jobs.shift(); job; job = jobs.shift()) await job();
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    const there = new Set(asked.map(({ pod, container }) => keyOf(pod, container.name)));
    for (const [key, part] of this.#parts) if (!there.has(key) && !part.isGone) this.#say(part, words.partGone, nowMs);
    for (const [key, part] of this.#parts) part.isGone = !there.has(key);
    this.#forget();
    this.#lines = this.#lines.with([...this.#parts.values()].map(({ tail: { lines }, name }) => ({ lines, name })));
    return {
      lines: this.#lines,
      isRead: true,
      parts: [...this.#parts].map(
        ([
          key,
          {
            name: { name, colour },
            state,
          },
        ]) => ({ key, name, colour, state }),
      ),
      more: more + told.length - asked.length,
      restarts: containers.reduce((sum, { container }) => sum + container.restarts, 0),
      isCut: this.#isCut,
      selectors,
      error: this.#errors[0] ?? '',
    };
  }

  async #readOne(pod: AnyObject, { name, state, life, endedMs, restarts }: AppContainer, isOne: boolean): Promise<void> {
    const key = keyOf(pod, name);
    let part = this.#parts.get(key);
    if (!part) {
      const podName = pod.metadata.name ?? '';
      part = new Part(isOne ? podName : `${podName}/${name}`, this.#parts.size % colours);
      this.#parts.set(key, part);
    }
    part.state = this.#isPrevious ? words.restarted(restarts) : state;
    const isOver = this.#isPrevious || endedMs !== undefined;
    if (part.life === life && isOver) return;
    const query = new URLSearchParams({ container: name, timestamps: 'true', tailLines: String(groupTailLines), limitBytes: String(bytesMax) });
    if (this.#isPrevious) query.set('previous', 'true');
    const { since } = part.tail;
    if (since !== undefined) query.set('sinceTime', since);
    const path = `/api/v1/namespaces/${encodeURIComponent(pod.metadata.namespace ?? '')}/pods/${encodeURIComponent(pod.metadata.name ?? '')}/log`;
    try {
      const text = await readText(`${path}?${query.toString()}`, this.#signal);
      const isNewer = part.tail.add(text, text.length < bytesMax);
      if (since !== undefined && isNewer && countLines(text) >= groupTailLines) this.#isCut = true;
    } catch (error) {
      // Not begun yet, or gone since: the server says so.
      if (!(error instanceof ApiError && (error.code === 400 || error.code === 404))) {
        if (isAbort(error)) throw error;
        this.#errors.push(messageOf(error));
        return;
      }
    }
    if (endedMs !== undefined && !this.#isPrevious) this.#say(part, state, endedMs);
    part.life = life;
  }

  /** A workload whose pods come and go all day is no heavier than another; their lines stay until newer ones push them out. */
  #forget(): void {
    for (const [key, { isGone }] of this.#parts) if (isGone && this.#parts.size > logsMax) this.#parts.delete(key);
  }

  /** A line of the page's own among those that were written, in words that step back. */
  #say(part: Part, text: string, atMs: number): void {
    const { tail, name } = part;
    part.state = text;
    tail.lines.push(`${new Date(atMs).toISOString()} \u001b[2m${words.partSays(name.name, text)}\u001b[0m\n`);
  }
}

interface AppContainer {
  readonly name: string;
  readonly state: string;
  readonly restarts: number;
  readonly life: string;
  /** When it ended, if it did. */
  readonly endedMs: number | undefined;
}

interface StatusOf {
  readonly name: string;
  readonly state?: { readonly terminated?: { readonly finishedAt?: string } };
}

/** Those that run for as long as the pod does. */
function appContainersOf(pod: AnyObject): readonly AppContainer[] {
  const names = new Set(((pod.spec?.['containers'] ?? []) as readonly { readonly name: string }[]).map(({ name }) => name));
  const statuses = (pod.status?.['containerStatuses'] ?? []) as readonly StatusOf[];
  return containersOf(pod)
    .filter(({ name }) => names.has(name))
    .map(({ name, state, restarts, life }) => {
      const finishedAt = Date.parse(statuses.find((one) => one.name === name)?.state?.terminated?.finishedAt ?? '');
      return { name, state, restarts, life, endedMs: Number.isNaN(finishedAt) ? undefined : finishedAt };
    });
}

function keyOf({ metadata }: AnyObject, container: string): string {
  return `${metadata.uid ?? ''}/${container}`;
}

function countLines(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

async function readText(path: string, signal: AbortSignal): Promise<string> {
  const response = await fetch(branchBase + path, { credentials: 'same-origin', signal });
  const text = await response.text();
  if (!response.ok) throw toError(response.status, text);
  return text;
}
