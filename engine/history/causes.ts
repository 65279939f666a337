/**
 * Answers "why" (law 4): from a change back through the causes of each write to its root: somebody outside, a fault or a timer.
 * Where a write has several causes the one with the most telling root is followed, and the others are named.
 */
import type { CauseLink } from '../api/sim/v1alpha1/timeline.ts';
import { causesOf, type ParsedCause, parseCause } from '../base/causes.ts';
import type { ChangeNote } from './change-notes.ts';
import type { HistoryRecorder } from './recorder.ts';
import { causeWords, shortIdentity, timerWords, writeSentence } from './sentences.ts';

const linksMax = 100;
const visitsMax = 2_000;
const rank = { other: 0, timer: 1, input: 3, silence: 3 } as const;

/** How telling a root is, and when it was: somebody who asks after a node was silent tells more than that silence. */
interface Root {
  readonly rank: number;
  readonly ms: number;
}

const forgotten: Root = { rank: 0.5, ms: Number.NEGATIVE_INFINITY };
const none: Root = { rank: Number.NEGATIVE_INFINITY, ms: Number.NEGATIVE_INFINITY };

/** Newest first; undefined when nothing is known of the revision. */
export function causeChain(recorder: HistoryRecorder, revision: number): readonly CauseLink[] | undefined {
  const first = recorder.notes.at(revision);
  return first === undefined ? undefined : new ChainWalk(recorder).walk(first);
}

/** What a change was made because of in order of time, each with what it comes from at once; a write that is remembered is named by its revision. */
export function directCauses(recorder: HistoryRecorder, change: ChangeNote): readonly CauseLink[] {
  return causesOf(change.causes)
    .map((cause) => new ChainWalk(recorder).direct(parseCause(cause), change))
    .sort((a, b) => compareInstants(beganMs(a), beganMs(b)))
    .flat();
}

/** What is forgotten was before all that is remembered. */
function beganMs([link]: readonly CauseLink[]): number {
  return link?.ms ?? forgotten.ms;
}

/** Both may be long forgotten, and the difference of these is no number. */
function compareInstants(a: number, b: number): number {
  return a === b ? 0 : a - b;
}

function writeLink(change: ChangeNote, text: string): CauseLink {
  return { type: 'write', revision: change.revision, ms: change.ms, object: change.row.id, action: change.action, by: change.by, text };
}

class ChainWalk {
  readonly #recorder: HistoryRecorder;
  readonly #links: CauseLink[] = [];
  /** The most telling root of a write. */
  readonly #roots = new Map<number, Root>();

  constructor(recorder: HistoryRecorder) {
    this.#recorder = recorder;
  }

  walk(first: ChangeNote): readonly CauseLink[] {
    let change: ChangeNote | undefined = first;
    while (change !== undefined && this.#links.length < linksMax) change = this.#step(change);
    return this.#links;
  }

  direct(cause: ParsedCause, change: ChangeNote): readonly CauseLink[] {
    const write = this.#follow(cause, change);
    return write === undefined ? this.#links : [...this.#links, writeLink(write, writeSentence(write))];
  }

  /** Adds the links of one write and of the cause it is followed by; returns the next write. */
  #step(change: ChangeNote): ChangeNote | undefined {
    const causes = causesOf(change.causes).map(parseCause);
    const best = this.#best(causes, change.ms);
    const others = causes.filter((cause) => cause !== best).map(causeWords);
    const sentence = writeSentence(change);
    this.#links.push(writeLink(change, others.length === 0 ? sentence : `${sentence} (also because of ${others.join(', ')})`));
    return best === undefined ? undefined : this.#follow(best, change);
  }

  #follow(cause: ParsedCause, change: ChangeNote): ChangeNote | undefined {
    const ms = change.ms;
    switch (cause.type) {
      case 'write':
        return this.#followWrite(cause.revision);
      case 'timer':
        this.#links.push({ type: 'timer', ms, text: `${timerWords(cause.component, cause.name)} fired` });
        return undefined;
      case 'input':
        this.#links.push({ type: 'input', ms, by: change.by, text: `${shortIdentity(change.by)} asked for it from outside (input ${cause.input})` });
        return undefined;
      case 'silence':
        return this.#followSilence(cause.node, ms);
      case 'other':
        this.#links.push({ type: 'other', text: cause.text });
        return undefined;
    }
  }

  #followWrite(revision: number): ChangeNote | undefined {
    const change = this.#recorder.notes.at(revision);
    if (change === undefined) this.#links.push({ type: 'other', revision, text: `change ${revision}, which is no longer remembered` });
    return change;
  }

  #followSilence(node: string, ms: number): ChangeNote | undefined {
    this.#links.push({
      type: 'silence',
      ms,
      object: `nodes/${node}`,
      text: `nothing had been heard from node ${node} for longer than the grace period`,
    });
    const fault = this.#recorder.faults.find(node, ms);
    if (fault === undefined) return undefined;
    const over = fault.toMs !== 0 && fault.toMs < ms ? ', which has ended since' : '';
    this.#links.push({
      type: 'fault',
      ms: fault.fromMs,
      object: `faults.sim.wavetank.dev/${fault.name}`,
      text: `fault ${fault.name} (${fault.type}) had struck node ${node}${over}`,
    });
    return this.#recorder.notes.at(fault.createdRevision);
  }

  /** The cause to follow: that with the most telling root, the latest among equals; at one instant silence before others. */
  #best(causes: readonly ParsedCause[], ms: number): ParsedCause | undefined {
    let best: ParsedCause | undefined;
    let bestRoot = none;
    for (const cause of causes) {
      const root = this.#rootOf(cause, ms);
      const order = compareRoots(root, bestRoot) || Number(cause.type === 'silence') - Number(best?.type === 'silence');
      const isLater = order === 0 && cause.type === 'write' && best?.type === 'write' && cause.revision > best.revision;
      if (order > 0 || isLater) {
        best = cause;
        bestRoot = root;
      }
    }
    return best;
  }

  /** `ms` is when the write was made that has this cause. */
  #rootOf(cause: ParsedCause, ms: number): Root {
    if (cause.type !== 'write') return { rank: rank[cause.type], ms };
    return this.#roots.get(cause.revision) ?? this.#rootOfWrite(cause.revision);
  }

  /** Depth first without recursion: chains may be long. A write's root is the best of its causes'. */
  #rootOfWrite(revision: number): Root {
    const stack = [revision];
    while (stack.length > 0) {
      const top = stack.at(-1) as number;
      const change = this.#recorder.notes.at(top);
      const causes = causesOf(change?.causes ?? []).map(parseCause);
      const pending =
        this.#roots.size > visitsMax ? [] : causes.filter((one) => one.type === 'write' && one.revision < top && !this.#roots.has(one.revision));
      if (pending.length > 0) {
        for (const one of pending) if (one.type === 'write') stack.push(one.revision);
        continue;
      }
      stack.pop();
      this.#roots.set(top, this.#knownRoot(causes, change?.ms ?? 0));
    }
    return this.#roots.get(revision) ?? none;
  }

  #knownRoot(causes: readonly ParsedCause[], ms: number): Root {
    let best = forgotten;
    for (const cause of causes) {
      const root = cause.type === 'write' ? (this.#roots.get(cause.revision) ?? forgotten) : { rank: rank[cause.type], ms };
      if (compareRoots(root, best) > 0) best = root;
    }
    return best;
  }
}

function compareRoots(a: Root, b: Root): number {
  return a.rank - b.rank || (a.ms === b.ms ? 0 : a.ms - b.ms);
}
