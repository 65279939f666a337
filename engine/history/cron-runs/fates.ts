/**
 * What became of planned instants. A Job that was started for one settles it; of the others the rules of the controller say why there is
 * none (pkg/controller/cronjob/cronjob_controllerv2.go): it looks at the newest due instant alone, so the next one ends what was open.
 */
import { formatDuration, formatTime } from '../../apimachinery/time.ts';
import type { CronJobRunFate } from '../../api/sim/v1alpha1/cron-job-run.ts';
import type { CronGrammar, CronReader } from '../../component-helpers/cron/parse.ts';
import { countWhile } from '../../base/bisect.ts';
import { PlannedTimes } from './planned.ts';
import type { CronJobRecord, Run, Terms, Word } from './record.ts';
import { RunIndex } from './run-index.ts';

export interface Fate {
  readonly plannedMs: number;
  readonly fate: CronJobRunFate;
  readonly reason: string;
  readonly run: Run | undefined;
}

export interface FateQuery {
  readonly fromMs: number;
  readonly toMs: number;
  readonly nowMs: number;
  /** The newest so many that are not after now. */
  readonly most: number;
  /** So many that are yet to come, even after `toMs`. */
  readonly ahead: number;
}

type Verdict = Pick<Fate, 'fate' | 'reason'>;

/** The controller comes 100 ms after the instant, and its call takes its time: less is not late. */
const promptMs = 1_000;
const minuteMs = 60_000;
const notStarted = 'due, and not started yet';

/** In the order of their planned instants, each once: those that are planned from `fromMs` to `toMs`, and those whose run goes on at `fromMs`. */
export function fatesOf(record: CronJobRecord, query: FateQuery, reader: CronReader): readonly Fate[] {
  return new Judge(record, query.nowMs, reader).all(query);
}

class Judge {
  readonly #record: CronJobRecord;
  readonly #planned: PlannedTimes;
  readonly #nowMs: number;
  readonly #grammar: CronGrammar;
  readonly #index: RunIndex;
  #runs: ReadonlyMap<number, Run> = new Map();

  constructor(record: CronJobRecord, nowMs: number, reader: CronReader) {
    this.#record = record;
    this.#index = new RunIndex(record.runs);
    this.#planned = new PlannedTimes(record, this.#index, reader);
    this.#nowMs = nowMs;
    this.#grammar = reader.grammar;
  }

  all({ fromMs, toMs, most, ahead }: FateQuery): readonly Fate[] {
    const { forgottenMs } = this.#record;
    const from = forgottenMs === 0 ? fromMs : Math.max(fromMs, forgottenMs + 1);
    const to = Math.min(toMs, this.#nowMs);
    const due = this.#planned.within(from - 1, to, most);
    const goingOn = this.#index.goingOnAt(from).map((run) => [run.plannedMs, run] as const);
    this.#runs = new Map([...goingOn, ...this.#index.since(due.length < most ? from : (due[0] ?? from))]);
    // A Job may have been started for an instant that is none by the terms of then: those of a schedule that came later.
    const started = [...this.#runs.keys()].filter((ms) => ms <= to);
    const past = [...new Set([...due, ...started])].sort((a, b) => a - b).slice(-most);
    return [...past.map((ms) => this.#fateOf(ms)), ...this.#ahead(Math.max(this.#nowMs, fromMs - 1), ahead)];
  }

  #ahead(fromMs: number, most: number): readonly Fate[] {
    const found: Fate[] = [];
    if (this.#record.deletedMs !== 0 || this.#planned.termsAt(this.#nowMs)?.isSuspended === true) return found;
    for (let at = this.#planned.after(fromMs); at !== undefined && found.length < most; at = this.#planned.after(at))
      found.push({ plannedMs: at, fate: 'Waiting', reason: 'not due yet', run: undefined });
    return found;
  }

  #fateOf(plannedMs: number): Fate {
    const run = this.#runs.get(plannedMs);
    const verdict = run === undefined ? this.#unstarted(plannedMs) : this.#started(run);
    return { plannedMs, ...verdict, run };
  }

  #started(run: Run): Verdict {
    if (run.replaced !== '') return { fate: 'Replaced', reason: `took the place of ${run.replaced}` };
    const { plannedMs, startMs } = run;
    if (startMs - plannedMs <= promptMs) return { fate: 'Ran', reason: '' };
    return { fate: 'Ran', reason: `late by ${formatDuration(told(startMs - plannedMs))}${this.#whyLate(run)}` };
  }

  #whyLate({ plannedMs, startMs, uid }: Run): string {
    const before = this.#index.endedWithin(plannedMs, startMs);
    if (before !== undefined && before.uid !== uid && this.#policyAt(plannedMs) === 'Forbid') return `: ${before.job} had to end first`;
    const failure = this.#failure(startMs);
    if (failure !== undefined) return `: ${failure}`;
    const { terms } = this.#record;
    const changedTo = (isSo: (before: Terms, after: Terms) => boolean): Terms | undefined =>
      terms.findLast((one, index) => index > 0 && one.fromMs > plannedMs && one.fromMs <= startMs && isSo(terms[index - 1] as Terms, one));
    const resumed = changedTo((before, after) => before.isSuspended && !after.isSuspended);
    if (resumed !== undefined) return `: suspended until ${formatTime(resumed.fromMs)}`;
    const allowed = changedTo((before, after) => before.policy === 'Forbid' && after.policy !== 'Forbid');
    if (allowed !== undefined) return `: forbidden until ${formatTime(allowed.fromMs)}`;
    const planned = changedTo((before, after) => before.schedule !== after.schedule);
    return planned === undefined ? '' : `: by a schedule that came at ${formatTime(planned.fromMs)}`;
  }

  #unstarted(plannedMs: number): Verdict {
    const terms = this.#planned.termsAt(plannedMs);
    if (terms === undefined) return missed('the CronJob has no schedule');
    if (terms.isSuspended) return { fate: 'Suspended', reason: '' };
    const { overMs, why } = this.#over(plannedMs, terms);
    const endMs = Math.min(overMs, this.#nowMs);
    const deadline = this.#planned.deadlineWithin(plannedMs, endMs);
    const shutMs = deadline?.passedMs ?? endMs;
    const isShut = deadline !== undefined || overMs <= this.#nowMs;
    const last = this.#planned.termsAt(Math.max(plannedMs, isShut ? shutMs - 1 : shutMs)) ?? terms;
    const until = deadline === undefined ? why : `its deadline of ${formatDuration(deadline.deadlineMs)} had passed`;
    const blocker = last.policy === 'Forbid' ? this.#index.activeThrough(plannedMs, shutMs) : undefined;
    if (blocker !== undefined)
      return isShut
        ? { fate: 'SkippedByForbid', reason: `${blocker.job} went on until ${until}` }
        : { fate: 'Waiting', reason: `${blocker.job} has to end first` };
    const failure = this.#failure(overMs);
    if (deadline !== undefined) return tooLate(deadline.deadlineMs, failure);
    const said = last.policy === 'Forbid' ? this.#wordsWithin(plannedMs, overMs).findLast(({ reason }) => reason === 'JobAlreadyActive') : undefined;
    if (isShut && said !== undefined && failure === undefined)
      return { fate: 'SkippedByForbid', reason: `a run before it was not over at ${formatTime(said.ms)}` };
    const suspendedMs = last.isSuspended ? this.#suspendedMs(last) : undefined;
    // Before the controller can have come: it was never to run.
    if (suspendedMs !== undefined && suspendedMs - plannedMs <= promptMs)
      return { fate: 'Suspended', reason: `suspended at ${formatTime(suspendedMs)}` };
    const stopped = suspendedMs === undefined ? undefined : `nothing had started it when it was suspended at ${formatTime(suspendedMs)}`;
    const because = failure ?? stopped ?? this.#nameTaken(plannedMs);
    if (isShut) return missed(because ?? `nothing had started it when ${why}`);
    return { fate: 'Waiting', reason: because === undefined ? notStarted : `${notStarted}: ${because}` };
  }

  /** Since when it has been as suspended as by these terms. */
  #suspendedMs(last: Terms): number {
    const { terms } = this.#record;
    let index = terms.indexOf(last);
    while (terms[index - 1]?.isSuspended === true) index--;
    return (terms[index] ?? last).fromMs;
  }

  /** Jobs have the minute in their name: of two instants of one minute the first has it. */
  #nameTaken(plannedMs: number): string | undefined {
    const minute = Math.floor(plannedMs / minuteMs);
    const run = this.#grammar === 'v3' ? this.#index.plannedUntilRun(plannedMs) : undefined;
    return run !== undefined && Math.floor(run.plannedMs / minuteMs) === minute ? `${run.job} of the same minute has its name` : undefined;
  }

  /** When nothing can start it any more, and what happened then. */
  #over(plannedMs: number, terms: Terms): { readonly overMs: number; readonly why: string } {
    const { deletedMs } = this.#record;
    const changed = this.#planned.changedAfter(plannedMs, terms.schedule);
    const next = this.#planned.after(plannedMs);
    const candidates = [
      { overMs: next ?? Number.POSITIVE_INFINITY, why: 'the next was due' },
      { overMs: changed ?? Number.POSITIVE_INFINITY, why: 'its schedule was changed' },
      { overMs: deletedMs === 0 ? Number.POSITIVE_INFINITY : deletedMs, why: 'it was deleted' },
    ];
    return candidates.reduce((first, one) => (one.overMs < first.overMs ? one : first));
  }

  /** Why a Job was refused last, unless one was started since: the longer it fails, the more instants pass between two tries. */
  #failure(beforeMs: number): string | undefined {
    const word = this.#wordsWithin(this.#index.startedBefore(beforeMs), beforeMs).findLast(({ reason }) => reason.startsWith('Failed'));
    return word?.message;
  }

  #wordsWithin(fromMs: number, toMs: number): readonly Word[] {
    const { words } = this.#record;
    const before = (ms: number): number => countWhile(words.length, (index) => (words[index] as Word).ms < ms);
    return words.slice(before(fromMs), before(toMs));
  }

  #policyAt(ms: number): string {
    return this.#planned.termsAt(ms)?.policy ?? 'Allow';
  }
}

/** As fine as people ask: seconds where there are some. */
function told(ms: number): number {
  const unit = ms < 10_000 ? 1 : 1_000;
  return Math.round(ms / unit) * unit;
}

function tooLate(deadlineMs: number, failure: string | undefined): Verdict {
  return { fate: 'DeadlineExceeded', reason: `not started within ${formatDuration(deadlineMs)}${failure === undefined ? '' : `: ${failure}`}` };
}

function missed(reason: string): Verdict {
  return { fate: 'Missed', reason };
}
