/** What the contract of controllers asks of a run: sentences about what is wrong, none where all is well. */
import { controllers } from '../../../engine/controllers/index.gen.ts';
import { cases, type Case, isExcepted } from './cases.ts';
import { differencesOfEnds, withoutCollisions } from './end.ts';
import type { Written } from './manager-process.ts';
import {
  conflicts,
  diesAfterWrite,
  diesAtEachWrite,
  failingServer,
  lateWatches,
  lostWatches,
  type Outcome,
  plain,
  play,
  rivals,
  slowServer,
  type Trial,
  twoReplicas,
} from './trials.ts';

/** Controllers that write Events alone: those are their writes. */
const tellers: ReadonlySet<string> = new Set(['selinux-warning-controller']);
const weathers: readonly Trial[] = [slowServer, failingServer, lateWatches, lostWatches];

export interface Judged {
  readonly problems: readonly string[];
  /** Controllers that wrote when nothing disturbed them. */
  readonly writers: ReadonlySet<string>;
  /** Resources that others made before a controller did. */
  readonly rivalled: ReadonlySet<string>;
}

export interface JudgeOptions {
  /** Every death by itself, and every weather. */
  readonly isExhaustive?: boolean;
  /** Of the trials those whose name matches. */
  readonly trials?: RegExp;
  /** Hears of each. */
  readonly onTrial?: (text: string) => void;
}

/** Plays a case under all trials of the ordinary run, or of the exhaustive one. */
export async function judgeCase(one: Case, { isExhaustive = false, trials = /./, onTrial = () => undefined }: JudgeOptions = {}): Promise<Judged> {
  const undisturbed = await play(one.situation, plain, one.config);
  const problems = problemsOfPlain(undisturbed).map((text) => `${one.id}, ${plain.name}: ${text}`);
  const rivalled = new Set<string>();
  onTrial(`${one.id}, ${plain.name}: ${undisturbed.writes.length} writes`);
  for (const trial of isExhaustive ? allTrials(undisturbed) : sampledTrials(one, undisturbed)) {
    if (isExcepted(one, trial) || !trials.test(trial.name)) continue;
    const outcome = await play(one.situation, trial, one.config);
    for (const resource of outcome.rivalled) rivalled.add(resource);
    const found = problemsOf(undisturbed, outcome, trial);
    problems.push(...found.map((text) => `${one.id}, ${trial.name}: ${text}`));
    onTrial(`${one.id}, ${trial.name}: ${found.length === 0 ? 'as undisturbed' : found.join('\n    ')}`);
  }
  return { problems, writers: writersOf(undisturbed.writes), rivalled };
}

/** Controllers that wrote in none of the cases. */
export function silentOf(judged: readonly Judged[]): readonly string[] {
  const writers = new Set(judged.flatMap((one) => [...one.writers]));
  return controllers.map(({ name }) => name).filter((name) => !writers.has(name));
}

function allTrials(undisturbed: Outcome): readonly Trial[] {
  const count = undisturbed.writes.filter(isState).length;
  const each = Array.from({ length: count }, (_, index) => diesAfterWrite(index + 1));
  const replicas = [0.25, 0.5, 0.75].map((share) => twoReplicas(Math.ceil(count * share * 0.6), Math.ceil(count * share)));
  return [diesAtEachWrite, ...each, conflicts, ...rivals, ...replicas, ...weathers];
}

/** All deaths in one run, and one weather of four; half of the cases have two replicas. */
function sampledTrials(one: Case, undisturbed: Outcome): readonly Trial[] {
  const number = cases.findIndex(({ id }) => id === one.id);
  const count = undisturbed.writes.filter(isState).length;
  const weather = weathers[number % weathers.length] ?? slowServer;
  const replicas = number % 2 === 0 ? [twoReplicas(Math.ceil(count * 0.4), Math.ceil(count * 0.7))] : [];
  return [diesAtEachWrite, conflicts, ...rivals, weather, ...replicas];
}

function problemsOfPlain({ stuck, afterResync, afterRestart, writes }: Outcome): readonly string[] {
  return [
    ...stuck.map((step) => `a step waits in vain: ${step}`),
    ...(writes.length === 0 ? ['nobody writes'] : []),
    ...afterResync.map((written) => `told the same again, ${textOf(written)}`),
    ...afterRestart.map((written) => `begun anew where all is done, ${textOf(written)}`),
  ];
}

function problemsOf(undisturbed: Outcome, outcome: Outcome, trial: Trial): readonly string[] {
  return [
    ...outcome.stuck.map((step) => `a step waits in vain: ${step}`),
    ...(trial.rivals === 'somebody else'
      ? differencesOfEnds(withoutCollisions(undisturbed.end), withoutCollisions(outcome.end))
      : differencesOfEnds(undisturbed.end, outcome.end)),
    ...(trial.replicas === undefined ? [] : problemsOfReplicas(outcome)),
  ];
}

/** Whoever leads writes from its first write to its last, and nobody else between. */
function problemsOfReplicas({ writes, replicas }: Outcome): readonly string[] {
  const spans = replicas.flatMap(({ process: { name } }) => {
    const own = writes.filter(({ process }) => process === name);
    const [first, last] = [own[0], own.at(-1)];
    return first === undefined || last === undefined ? [] : [{ name, fromMs: first.atMs, toMs: last.atMs }];
  });
  const overlapping = spans.flatMap((one, index) => spans.slice(index + 1).filter((other) => one.fromMs <= other.toMs && other.fromMs <= one.toMs));
  return [
    ...(spans.length < 2 ? ['only one replica ever wrote'] : []),
    ...overlapping.map(({ name }) => `${name} writes while another one does: ${JSON.stringify(spans)}`),
  ];
}

function writersOf(writes: readonly Written[]): ReadonlySet<string> {
  return new Set(writes.filter((written) => isState(written) || tellers.has(written.controller)).map(({ controller }) => controller));
}

function isState({ request }: Written): boolean {
  return request.resource !== 'events';
}

function textOf({ controller, request: { verb, resource, subresource, namespace, name } }: Written): string {
  const what = subresource === undefined ? resource : `${resource}/${subresource}`;
  return `${controller} does ${verb} ${what} ${[namespace, name].filter((part) => part !== undefined).join('/')}`;
}
