/**
 * Regular expressions of POSIX, basic and extended, with groups: of those that begin first, the longest match. All ways through an
 * expression are followed at once (after Pike and Thompson), so that no expression takes longer than its length times the text's.
 */
import type { ShellBudget } from '../shell-budget.ts';
import { type Node, parseExpression } from './expression-syntax.ts';

export { ExpressionFault } from './expression-syntax.ts';
import { ExpressionFault } from './expression-syntax.ts';

export interface Match {
  readonly start: number;
  readonly end: number;
  /** What each group has matched last. */
  readonly groups: readonly (string | undefined)[];
}

export interface Expression {
  /** How many groups it has. */
  readonly groups: number;
  /** The first match that begins there or behind. */
  find(text: string, from: number, budget: ShellBudget): Match | undefined;
  /** The match that begins just there. */
  at(text: string, from: number, budget: ShellBudget): Match | undefined;
}

export interface Flavor {
  readonly isExtended: boolean;
  readonly ignoresCase?: boolean;
}

type Step =
  | { readonly op: 'one'; readonly test: (char: string) => boolean }
  | { readonly op: 'assert'; readonly what: string }
  | { readonly op: 'save'; readonly slot: number }
  | { readonly op: 'split'; first: number; second: number }
  | { readonly op: 'jump'; to: number }
  | { readonly op: 'match' };

/** Each of them may be looked at for each character. */
const stepsMax = 5_000;
/** One look at a step takes longer than one at a character. */
const stepCost = 8;

/** Throws ExpressionFault. */
export function compileExpression(source: string, flavor: Flavor): Expression {
  const { root, groups } = parseExpression(source, flavor.isExtended);
  const program: Step[] = [];
  emit(root, program, flavor.ignoresCase === true);
  program.push({ op: 'match' });
  const search = (text: string, from: number, budget: ShellBudget, isHere: boolean): Match | undefined => {
    budget.product(program.length * stepCost, text.length - from + 1);
    return run(program, text, from, isHere, groups);
  };
  return { groups, find: (text, from, budget) => search(text, from, budget, false), at: (text, from, budget) => search(text, from, budget, true) };
}

function emit(node: Node, program: Step[], ignoresCase: boolean): void {
  if (program.length > stepsMax) throw new ExpressionFault('Regular expression too big');
  switch (node.kind) {
    case 'one': {
      const { test } = node;
      const both = (char: string): boolean => test(char) || test(char.toLowerCase()) || test(char.toUpperCase());
      program.push({ op: 'one', test: ignoresCase ? both : test });
      return;
    }
    case 'assert':
      program.push({ op: 'assert', what: node.what });
      return;
    case 'chain':
      for (const part of node.parts) emit(part, program, ignoresCase);
      return;
    case 'group':
      program.push({ op: 'save', slot: node.index * 2 });
      emit(node.body, program, ignoresCase);
      program.push({ op: 'save', slot: node.index * 2 + 1 });
      return;
    case 'choice':
      emitChoice(node.parts, program, ignoresCase);
      return;
    case 'repeat':
      emitRepeat(node, program, ignoresCase);
  }
}

function emitChoice(parts: readonly Node[], program: Step[], ignoresCase: boolean): void {
  const exits: { op: 'jump'; to: number }[] = [];
  parts.forEach((part, index) => {
    const split = { op: 'split' as const, first: program.length + 1, second: 0 };
    if (index < parts.length - 1) program.push(split);
    emit(part, program, ignoresCase);
    const exit = { op: 'jump' as const, to: 0 };
    program.push(exit);
    exits.push(exit);
    split.second = program.length;
  });
  for (const exit of exits) exit.to = program.length;
}

function emitRepeat({ body, min, max }: Extract<Node, { kind: 'repeat' }>, program: Step[], ignoresCase: boolean): void {
  for (let i = 0; i < min; i++) emit(body, program, ignoresCase);
  const fork = (): { op: 'split'; first: number; second: number } => {
    const split = { op: 'split' as const, first: program.length + 1, second: 0 };
    program.push(split);
    return split;
  };
  if (max === undefined) {
    const at = program.length;
    const split = fork();
    emit(body, program, ignoresCase);
    program.push({ op: 'jump', to: at });
    split.second = program.length;
    return;
  }
  const splits = [];
  for (let i = min; i < max; i++) {
    splits.push(fork());
    emit(body, program, ignoresCase);
  }
  for (const split of splits) split.second = program.length;
}

type Saved = readonly number[];

/** The ways that are followed, each step once, in the order of their choice. */
interface Threads {
  steps: number[];
  saved: Saved[];
  starts: number[];
  readonly seen: Int32Array;
}

function run(program: readonly Step[], text: string, from: number, isHere: boolean, groups: number): Match | undefined {
  const threads = (): Threads => ({ steps: [], saved: [], starts: [], seen: new Int32Array(program.length).fill(-1) });
  let [current, next] = [threads(), threads()];
  let best: { start: number; end: number; saved: Saved } | undefined;
  for (let at = from; at <= text.length; at++) {
    if (best === undefined && (!isHere || at === from)) follow(program, current, { step: 0, start: at, saved: [] }, at, text);
    if (current.steps.length === 0 && (best !== undefined || isHere)) break;
    for (let i = 0; i < current.steps.length; i++) {
      const step = program[current.steps[i] as number] as Step;
      const [start, saved] = [current.starts[i] as number, current.saved[i] as Saved];
      if (best !== undefined && start > best.start) continue;
      if (step.op === 'match') {
        if (best === undefined || start < best.start || at > best.end) best = { start, end: at, saved };
      } else if (step.op === 'one' && at < text.length && step.test(text[at] as string)) {
        follow(program, next, { step: (current.steps[i] as number) + 1, start, saved }, at + 1, text);
      }
    }
    [current, next] = [next, current];
    next.steps = [];
    next.saved = [];
    next.starts = [];
  }
  if (best === undefined) return undefined;
  const { saved } = best;
  const found = Array.from({ length: groups }, (_, i) => {
    const [a, b] = [saved[(i + 1) * 2], saved[(i + 1) * 2 + 1]];
    return a === undefined || b === undefined ? undefined : text.slice(a, b);
  });
  return { start: best.start, end: best.end, groups: found };
}

/** Adds what can be reached without a character; a stack of its own, since expressions can be long. */
function follow(program: readonly Step[], into: Threads, first: { step: number; start: number; saved: Saved }, at: number, text: string): void {
  const stack: { step: number; saved: Saved }[] = [first];
  for (;;) {
    const one = stack.pop();
    if (one === undefined) return;
    if (into.seen[one.step] === at) continue;
    into.seen[one.step] = at;
    const step = program[one.step] as Step;
    if (step.op === 'jump') stack.push({ step: step.to, saved: one.saved });
    else if (step.op === 'split') stack.push({ step: step.second, saved: one.saved }, { step: step.first, saved: one.saved });
    else if (step.op === 'save') {
      const saved = [...one.saved];
      saved[step.slot] = at;
      stack.push({ step: one.step + 1, saved });
    } else if (step.op === 'assert') {
      if (holds(step.what, at, text)) stack.push({ step: one.step + 1, saved: one.saved });
    } else {
      into.steps.push(one.step);
      into.saved.push(one.saved);
      into.starts.push(first.start);
    }
  }
}

function holds(what: string, at: number, text: string): boolean {
  const isWord = (index: number): boolean => /\w/.test(text[index] ?? '');
  switch (what) {
    case '^':
      return at === 0;
    case '$':
      return at === text.length;
    case '<':
      return !isWord(at - 1) && isWord(at);
    case '>':
      return isWord(at - 1) && !isWord(at);
    case 'b':
      return isWord(at - 1) !== isWord(at);
    default:
      return isWord(at - 1) === isWord(at);
  }
}
