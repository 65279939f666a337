/**
 * Runs patterns in time linear in the text: all ways through the pattern at once, leftmost and first choice first. Mirrors regexp/exec.go
 * of Go (after Pike and Thompson).
 */
import { type ClassTest, isWordPoint } from './classes.ts';
import { type Assertion, parsePattern, type Pattern, PatternError } from './syntax.ts';

type Instruction =
  | { readonly op: 'one'; readonly test: ClassTest }
  | { readonly op: 'assert'; readonly assertion: Assertion }
  | { readonly op: 'split'; first: number; second: number }
  | { readonly op: 'jump'; to: number }
  | { readonly op: 'match' };

/** Where a match begins and ends, in code units. */
export interface Match {
  readonly start: number;
  readonly end: number;
}

export interface CompiledPattern {
  test(text: string): boolean;
  find(text: string): Match | undefined;
  /** All that do not overlap, `most` at most; a negative number means all. */
  findAll(text: string, most: number): readonly Match[];
}

/** Go takes more; each of them may be looked at for each character. */
const instructionsMax = 10_000;

/** Throws PatternError. */
export function compilePattern(source: string): CompiledPattern {
  const { root } = parsePattern(source);
  const program: Instruction[] = [];
  emit(root, program, source);
  program.push({ op: 'match' });
  return {
    test: (text) => run(program, [...text], 0, true) !== undefined,
    find: (text) => findAll(program, text, 1)[0],
    findAll: (text, most) => findAll(program, text, most),
  };
}

function emit(pattern: Pattern, program: Instruction[], source: string): void {
  if (program.length > instructionsMax) throw new PatternError('expression too large', source);
  switch (pattern.kind) {
    case 'empty':
      return;
    case 'one':
      program.push({ op: 'one', test: pattern.test });
      return;
    case 'assert':
      program.push({ op: 'assert', assertion: pattern.assertion });
      return;
    case 'chain':
      for (const part of pattern.parts) emit(part, program, source);
      return;
    case 'group':
      emit(pattern.body, program, source);
      return;
    case 'choice':
      emitChoice(pattern.parts, program, source);
      return;
    case 'repeat':
      emitRepeat(pattern, program, source);
  }
}

function emitChoice(parts: readonly Pattern[], program: Instruction[], source: string): void {
  const exits: { op: 'jump'; to: number }[] = [];
  parts.forEach((part, index) => {
    if (index === parts.length - 1) return emit(part, program, source);
    const split = { op: 'split' as const, first: program.length + 1, second: 0 };
    program.push(split);
    emit(part, program, source);
    const exit = { op: 'jump' as const, to: 0 };
    program.push(exit);
    exits.push(exit);
    split.second = program.length;
  });
  for (const exit of exits) exit.to = program.length;
}

function emitRepeat({ body, min, max, isGreedy }: Pattern & { readonly kind: 'repeat' }, program: Instruction[], source: string): void {
  for (let i = 0; i < min; i++) emit(body, program, source);
  const fork = (): { op: 'split'; first: number; second: number } => {
    const split = { op: 'split' as const, first: program.length + 1, second: program.length + 1 };
    program.push(split);
    return split;
  };
  const leave = (split: { first: number; second: number }): void => {
    if (isGreedy) split.second = program.length;
    else split.first = program.length;
  };
  if (max === undefined) {
    const at = program.length;
    const split = fork();
    emit(body, program, source);
    program.push({ op: 'jump', to: at });
    leave(split);
    return;
  }
  const splits = [];
  for (let i = min; i < max; i++) {
    splits.push(fork());
    emit(body, program, source);
  }
  for (const split of splits) leave(split);
}

function findAll(program: readonly Instruction[], text: string, most: number): readonly Match[] {
  const letters = [...text];
  const found: Match[] = [];
  const offsets = [0];
  for (const letter of letters) offsets.push((offsets.at(-1) as number) + letter.length);
  let lastEnd = -1;
  for (let from = 0; from <= letters.length && (most < 0 || found.length < most); ) {
    const match = run(program, letters, from, false);
    if (match === undefined) break;
    const [start, end] = match;
    // An empty match just after another one does not count.
    if (end > start || start !== lastEnd) found.push({ start: offsets[start] as number, end: offsets[end] as number });
    lastEnd = end;
    from = end > start ? end : end + 1;
  }
  return found;
}

/** The leftmost match from `from` on, in letters; with `isEnough` any. */
function run(program: readonly Instruction[], letters: readonly string[], from: number, isEnough: boolean): readonly [number, number] | undefined {
  const points = letters.map((letter) => letter.codePointAt(0) as number);
  let current = new Threads(program.length);
  let next = new Threads(program.length);
  let best: readonly [number, number] | undefined;
  for (let at = from; at <= points.length; at++) {
    if (best === undefined) follow(program, current, 0, at, at, points);
    if (current.size === 0 && best !== undefined) break;
    for (let i = 0; i < current.size; i++) {
      const instruction = program[current.instructionAt(i)] as Instruction;
      const start = current.startAt(i);
      if (instruction.op === 'match') {
        best = [start, at];
        if (isEnough) return best;
        // Those behind it were second choices.
        break;
      }
      if (instruction.op === 'one' && at < points.length && instruction.test(points[at] as number))
        follow(program, next, current.instructionAt(i) + 1, start, at + 1, points);
    }
    [current, next] = [next, current];
    next.clear();
  }
  return best;
}

/** A set in the order of its choices, as a sparse set. */
class Threads {
  readonly #dense: number[] = [];
  readonly #starts: number[] = [];
  readonly #visited: Uint32Array;
  #round = 1;

  constructor(length: number) {
    this.#visited = new Uint32Array(length);
  }

  get size(): number {
    return this.#dense.length;
  }

  instructionAt(index: number): number {
    return this.#dense[index] as number;
  }

  startAt(index: number): number {
    return this.#starts[index] as number;
  }

  /** Whether it is the first visit in this round. */
  visit(instruction: number): boolean {
    if (this.#visited[instruction] === this.#round) return false;
    this.#visited[instruction] = this.#round;
    return true;
  }

  add(instruction: number, start: number): void {
    this.#dense.push(instruction);
    this.#starts.push(start);
  }

  clear(): void {
    this.#dense.length = 0;
    this.#starts.length = 0;
    this.#round++;
  }
}

/** Adds what can be reached without a letter; a stack of its own, since patterns can be long. */
function follow(program: readonly Instruction[], into: Threads, first: number, start: number, at: number, points: readonly number[]): void {
  const stack = [first];
  for (;;) {
    const index = stack.pop();
    if (index === undefined) return;
    if (!into.visit(index)) continue;
    const instruction = program[index] as Instruction;
    if (instruction.op === 'jump') stack.push(instruction.to);
    else if (instruction.op === 'split') stack.push(instruction.second, instruction.first);
    else if (instruction.op === 'assert') {
      if (holds(instruction.assertion, at, points)) stack.push(index + 1);
    } else into.add(index, start);
  }
}

function holds(assertion: Assertion, at: number, points: readonly number[]): boolean {
  const isWord = (index: number): boolean => index >= 0 && index < points.length && isWordPoint(points[index] as number);
  switch (assertion) {
    case 'textStart':
      return at === 0;
    case 'textEnd':
      return at === points.length;
    case 'lineStart':
      return at === 0 || points[at - 1] === 10;
    case 'lineEnd':
      return at === points.length || points[at] === 10;
    case 'word':
      return isWord(at - 1) !== isWord(at);
    case 'noWord':
      return isWord(at - 1) === isWord(at);
  }
}
