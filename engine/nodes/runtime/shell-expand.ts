/** Words to text: variables, substitutions, arithmetic, splitting at `$IFS`, paths. */
import { getOwn, setOwn } from '../../base/dictionary.ts';
import type { Part, Word } from './shell-code.ts';
import { evaluate, evaluateText, wholeText } from './shell-arithmetic.ts';
import type { CommandContext } from './shell-commands.ts';
import { type Separators, splitFields, usualSeparators } from './shell-fields.ts';
import { pathsOf } from './shell-glob.ts';
import { ScriptFault } from './shell-faults.ts';
import { escapePattern, isPattern, replace, strip } from './shell-patterns.ts';
import { optionLetters } from './shell-variables.ts';

/** Words of a command: unquoted expansions are split, empty ones vanish. */
export function expandWords(words: readonly Word[], context: CommandContext): string[] {
  const result: string[] = [];
  let chars = 0;
  for (const word of words) {
    const before = result.length;
    expandInto(result, word, context);
    for (let i = before; i < result.length; i++) chars += (result[i] ?? '').length + 1;
    context.budget.text(chars);
  }
  return result;
}

/** One text, without splitting: assignments, redirections, patterns. */
export function expandText(word: Word, context: CommandContext): string {
  let text = '';
  for (const part of word) {
    text += partText(part, context);
    context.budget.text(text.length);
  }
  return text;
}

/** Sets a variable, whatever its name, and counts what all of them hold. */
export function setVariable(name: string, value: string, { state, budget }: CommandContext): void {
  if (state.fixed.includes(name)) throw new ScriptFault(`${name}: is read only`);
  if (state.options.includes('allexport')) setOwn(state.marks, name, true);
  state.held += value.length - (getOwn(state.vars, name)?.length ?? -name.length);
  budget.text(state.held);
  setOwn(state.vars, name, value);
}

/** The same as a pattern, in which what was quoted means itself. */
export function expandPattern(word: Word, context: CommandContext): string {
  let text = '';
  for (const part of word) {
    const piece = partText(part, context);
    text += part.type !== 'glob' && part.quoted === true ? escapePattern(piece) : piece;
    context.budget.text(text.length);
  }
  return text;
}

/** What `$IFS` says. */
export function separatorsOf(context: CommandContext): Separators {
  const said = lookup('IFS', context);
  if (said === undefined) return usualSeparators;
  context.budget.text(said.length);
  return new Set(said);
}

function joint(context: CommandContext): string {
  return (lookup('IFS', context) ?? ' ').slice(0, 1);
}

/** A field on its way, with what of it is a pattern. */
class Field {
  readonly #result: string[];
  readonly #context: CommandContext;
  #pieces: { readonly text: string; readonly isActive: boolean }[] | undefined;
  #length = 0;

  constructor(result: string[], context: CommandContext) {
    this.#result = result;
    this.#context = context;
  }

  add(text: string, isActive: boolean): void {
    this.#length += text.length;
    this.#context.budget.text(this.#length);
    this.#pieces ??= [];
    this.#pieces.push({ text, isActive });
  }

  end(isForced = false): void {
    const pieces = this.#pieces ?? (isForced ? [] : undefined);
    this.#pieces = undefined;
    this.#length = 0;
    if (pieces === undefined) return;
    const text = pieces.map((piece) => piece.text).join('');
    const isPlain = this.#context.state.options.includes('noglob');
    const paths = !isPlain && pieces.some((piece) => piece.isActive && isPattern(piece.text)) ? pathsOf(patternOf(pieces), this.#context) : [];
    if (paths.length === 0) this.#result.push(text);
    else for (const path of paths) this.#result.push(path);
  }
}

function patternOf(pieces: readonly { readonly text: string; readonly isActive: boolean }[]): string {
  return pieces.map(({ text, isActive }) => (isActive ? text.replaceAll('\\', '\\\\') : escapePattern(text))).join('');
}

function expandInto(result: string[], word: Word, context: CommandContext): void {
  const field = new Field(result, context);
  for (const part of word) {
    if (part.type === 'glob') field.add(part.text, true);
    else if (part.type === 'variable' && (part.name === '@' || (part.name === '*' && !part.quoted)) && part.operator === undefined) {
      for (const [index, arg] of context.state.args.slice(1).entries()) {
        if (index > 0) field.end();
        if (part.quoted) field.add(arg, false);
        else splitInto(field, arg, context);
      }
    } else if (part.type === 'text' || part.quoted) field.add(partText(part, context), false);
    else splitInto(field, partText(part, context), context);
  }
  field.end();
}

function splitInto(field: Field, text: string, context: CommandContext): void {
  context.budget.text(text.length);
  splitFields(
    text,
    separatorsOf(context),
    (piece) => field.add(piece, true),
    (isForced) => field.end(isForced),
  );
}

function partText(part: Part, context: CommandContext): string {
  switch (part.type) {
    case 'text':
    case 'glob':
      return part.text;
    case 'command': {
      const result = context.substituted(part.code);
      context.printError(result.errors);
      context.state.status = result.exitCode;
      return withoutTrailing(result.output, '\n');
    }
    case 'arithmetic':
      return wholeText(evaluate(part.expression, context));
    case 'variable':
      return variableText(part, context);
  }
}

function variableText(part: Extract<Part, { type: 'variable' }>, context: CommandContext): string {
  const value = lookup(part.name, context);
  if (value === undefined && context.state.options.includes('nounset') && !/^:?[-=+?]$/.test(part.operator ?? '') && !/^[@*]$/.test(part.name))
    throw new ScriptFault(`${part.name}: parameter not set`);
  const operand = (): string => (part.operand === undefined ? '' : expandText(part.operand, context));
  switch (part.operator) {
    case 'length':
      return String([...(value ?? '')].length);
    case '-':
      return value ?? operand();
    case ':-':
      return value === undefined || value === '' ? operand() : value;
    case '=':
    case ':=': {
      if (value !== undefined && (value !== '' || part.operator === '=')) return value;
      const text = operand();
      setVariable(part.name, text, context);
      return text;
    }
    case '?':
    case ':?': {
      if (value !== undefined && (value !== '' || part.operator === '?')) return value;
      const text = operand();
      throw new ScriptFault(`${part.name}: ${text === '' ? `parameter not set${part.operator === ':?' ? ' or null' : ''}` : text}`);
    }
    case 'slice':
      return slice(value ?? '', part, context);
    case 'bad':
      throw new ScriptFault('syntax error: bad substitution');
    case '/':
    case '//':
    case '/#':
    case '/%': {
      // To this shell `#` and `%` are characters there as others are.
      const mark = part.operator === '/#' || part.operator === '/%' ? part.operator.slice(1) : '';
      const pattern = mark + (part.operand === undefined ? '' : expandPattern(part.operand, context));
      const text = part.second === undefined ? '' : expandText(part.second, context);
      return replace(value ?? '', pattern, text, part.operator === '//', context.budget);
    }
    case '+':
      return value === undefined ? '' : operand();
    case ':+':
      return value === undefined || value === '' ? '' : operand();
    case '#':
    case '##':
    case '%':
    case '%%':
      return strip(value ?? '', part.operand === undefined ? '' : expandPattern(part.operand, context), part.operator, context.budget);
    default:
      return value ?? '';
  }
}

/** `${x:offset:length}`; what is negative counts from the end. */
function slice(value: string, { operand, second }: Extract<Part, { type: 'variable' }>, context: CommandContext): string {
  const letters = [...value];
  const numberOf = (word: Word): number => evaluateText(expandText(word, context), context);
  const offset = operand === undefined ? 0 : numberOf(operand);
  const from = offset < 0 ? letters.length + offset : offset;
  const length = second === undefined ? letters.length : numberOf(second);
  if (from < 0) return '';
  return letters.slice(from, length < 0 ? letters.length + length : from + length).join('');
}

export function lookup(name: string, context: CommandContext): string | undefined {
  const { state } = context;
  switch (name) {
    case '?':
      return String(state.status);
    case '#':
      return String(Math.max(0, state.args.length - 1));
    case '@':
      return state.args.slice(1).join(' ');
    case '*':
      return state.args.slice(1).join(joint(context));
    case '$':
      return '1';
    case '!':
      return undefined;
    case '-':
      return optionLetters(state.options);
    case 'OPTIND':
      return getOwn(state.vars, name) ?? '1';
    case 'RANDOM':
      return String((Math.imul(Math.floor(context.nowMs), 1103515245) >>> 16) % 32768);
    case 'SECONDS':
      return String(Math.floor(context.nowMs / 1000));
    default:
      if (/^[0-9]+$/.test(name)) return name === '0' ? (state.args[0] ?? 'sh') : state.args[Number(name)];
      return getOwn(state.vars, name) ?? (getOwn(state.marks, name) === false ? undefined : getOwn(context.host.env(), name));
  }
}

function withoutTrailing(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end--;
  return text.slice(0, end);
}
