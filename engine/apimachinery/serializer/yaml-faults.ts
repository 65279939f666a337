/** What is wrong with a text that should be YAML, in the words of go-yaml 2 (scannerc.go, parserc.go, decode.go). */
import { YAMLException } from 'js-yaml';
import type { JsonValue } from '../../base/json.ts';
import { goSyntax } from '../go-value.ts';

type Words = string | ((reason: string) => string);

const cannotStart = 'found character that cannot start any token';
/** By the reader's reason; with the line in which the fault stands, which go-yaml leaves out for the first one at some places. */
const scanned: readonly (readonly [RegExp, Words])[] = [
  [/^tab characters must not be used/, cannotStart],
  [/^expected hexadecimal character/, 'did not find expected hexdecimal number'],
  [/^unknown escape sequence/, 'found unknown escape character'],
  [/^unexpected end of the stream within a (?:single|double) quoted scalar/, 'found unexpected end of stream'],
  [/^unexpected end of the document within a (?:single|double) quoted scalar/, 'found unexpected document indicator'],
  [/^a line break is expected/, 'did not find expected comment or line break'],
  [/^expected ':' after a mapping key|a multiline key may not be an implicit key$/, "could not find expected ':'"],
  [/^name of an? (?:anchor|alias) node must/, 'did not find expected alphabetic or numeric character'],
  [/^unexpected end of the stream within a verbatim tag/, "did not find the expected '>'"],
  [/^bad explicit indentation width of a block scalar; it cannot be less than one/, 'found an indentation indicator equal to 0'],
  [/^repeat of a chomping mode identifier/, 'did not find expected comment or line break'],
  [/^tag name cannot contain such characters: %/, 'did not find URI escaped octet'],
];

/** Told of the line before the one at which the reader stands. */
const before: readonly (readonly [RegExp, Words])[] = [
  [/^duplication of %YAML directive/, 'found duplicate %YAML directive'],
  [/^there is a previously declared suffix for/, 'found duplicate %TAG directive'],
  [/^directives end mark is expected/, 'did not find expected <document start>'],
];

/** Without a line. */
const plain: readonly (readonly [RegExp, Words])[] = [
  [/^unidentified alias "(.*)"$/s, (reason) => `unknown anchor '${reason.slice('unidentified alias "'.length, -1)}' referenced`],
  [/^null byte is not allowed|non-printable characters$/, 'control characters are not allowed'],
  [/^cannot resolve a node with !<tag:yaml.org,2002:binary>/, '!!binary value contains invalid base64 data'],
  [/^recursive alias "/, (reason) => `anchor '${/"(.*?)"/.exec(reason)?.[1] ?? ''}' value contains itself`],
  [/^cannot merge mappings/, 'map merge requires map or sequence of maps as the value'],
  [/^unsupported map key|^invalid map key/, (reason) => reason],
];

const noContent = 'did not find expected node content';
const expectedKey = 'did not find expected key';
/** What begins no plain text. */
const reserved = '@`%';

export function yamlFault(error: unknown, text: string): string {
  const words = wordsOfFault(error, text);
  // Not the reader says it, but who makes JSON of what was read.
  return words.startsWith('unsupported map key') ? words : `yaml: ${words}`;
}

function wordsOfFault(error: unknown, text: string): string {
  if (!(error instanceof YAMLException)) return error instanceof Error ? error.message : String(error);
  const { reason, mark } = error;
  const wordsOf = (table: typeof plain): string | undefined => {
    const words = table.find(([pattern]) => pattern.test(reason))?.[1];
    return typeof words === 'function' ? words(reason) : words;
  };
  const bare = wordsOf(plain);
  if (bare !== undefined) return bare;
  if (reason === 'unexpected end of the stream within a flow collection') return endedInFlow(text);
  if (reason.startsWith('expected the node content, but found')) return atLine(mark?.line ?? 0, noContent);
  if (reason.startsWith('undeclared tag handle')) return atLine(mark?.line ?? 0, 'found undefined tag handle');
  // Its scanner counts from the line before the first, which it leaves out, and adds one; its parser does not add one.
  const scannedLine = mark === undefined || mark.line === 0 ? 0 : mark.line + 1;
  if (reason === 'deficient indentation' && mark !== undefined) return tooFarLeft(text, mark.position, mark.line);
  if (reason.startsWith('tab characters must not be used') && mark !== undefined && isAfterPlainText(text, mark.position))
    return atLine(scannedLine, 'found a tab character that violates indentation');
  const earlier = wordsOf(before);
  if (earlier !== undefined) return atLine(linesBefore(text, directivesEnd(text, reason)), earlier);
  const known = wordsOf(scanned);
  if (known !== undefined) return atLine(scannedLine, known);
  const parsed = /^[}\],]/.test(text.slice(mark?.position ?? 0)) ? noContent : undefined;
  if (reason.startsWith('bad indentation of a') && parsed !== undefined) return atLine(mark?.line ?? 0, parsed);
  if (reason.startsWith('bad indentation of a')) {
    const words = misplaced(text, mark?.position ?? 0);
    return atLine(words.startsWith('did not find') ? (mark?.line ?? 0) : scannedLine, words);
  }
  if (reason === 'missed comma between flow collection entries' && mark !== undefined) {
    if (reserved.includes(text[mark.position] ?? ' ')) return atLine(mark.line + 1, cannotStart);
    return atLine(mark.line, `did not find expected ',' or '${closing(text.slice(0, mark.position))}'`);
  }
  return atLine(mark === undefined ? 0 : mark.line + 1, reason);
}

/** Where the directive stands that is said twice, or what should have been the document's start. */
function directivesEnd(text: string, reason: string): number {
  const name = reason.startsWith('duplication') ? 'YAML' : /suffix for "(.*?)"/.exec(reason)?.[1];
  if (name === undefined) return /^(?:%.*\n|\s*(?:#.*)?\n)*/.exec(text)?.[0].length ?? 0;
  return text.lastIndexOf(name === 'YAML' ? '%YAML' : `%TAG ${name} `);
}

function atLine(line: number, words: string): string {
  return line === 0 ? words : `line ${line}: ${words}`;
}

/** An entry that is followed by what cannot follow it. */
function misplaced(text: string, position: number): string {
  const [character = '', next = ' '] = text.slice(position, position + 2);
  if (character === ':') return 'mapping values are not allowed in this context';
  if (character === '-' && /\s/.test(next) && !/^[ \t]*$/.test(text.slice(text.lastIndexOf('\n', position - 1) + 1, position)))
    return 'block sequence entries are not allowed in this context';
  if (reserved.includes(character) && character !== '') return cannotStart;
  return isAmongDashes(text, position) ? "did not find expected '-' indicator" : expectedKey;
}

/** Whether the entry stands where those of a list in block style do. */
function isAmongDashes(text: string, position: number): boolean {
  const start = text.lastIndexOf('\n', position - 1) + 1;
  const indent = position - start;
  if (!/^ *$/.test(text.slice(start, position))) return false;
  for (let end = start - 1; end >= 0; ) {
    const from = text.lastIndexOf('\n', end - 1) + 1;
    const first = /[^ ]/.exec(text.slice(from, end));
    if (first !== null && first.index <= indent) return first.index === indent && text.slice(from + indent, from + indent + 2) === '- ';
    end = from - 1;
  }
  return false;
}

function lineCount(text: string): number {
  const lines = text.split('\n');
  return lines.at(-1) === '' ? lines.length - 1 : lines.length;
}

/** What cannot be moved in: the document ends inside a flow or a quoted text, or a tab stands before it. */
function tooFarLeft(text: string, position: number, line: number): string {
  const lineStart = text.lastIndexOf('\n', position - 1) + 1;
  if (text.slice(lineStart, position).includes('\t')) return atLine(line + 1, 'found a tab character that violates indentation');
  return opened(text.slice(0, position)).quote === '' ? atLine(line, noContent) : atLine(line + 1, 'found unexpected document indicator');
}

/** Behind what opens, divides or names something another thing would have to follow. */
function endedInFlow(text: string): string {
  const said = text.replace(/(?:\s+(?:#.*)?)+$/, '');
  const before = said.slice(0, -1).trimEnd();
  // A value of no key is seen where it stands.
  if (said.endsWith(':') && /[{[,]$/.test(before)) return atLine(linesBefore(text, said.length), noContent);
  if (/[{[,:]$|[{[,]\s*\?$/.test(said)) return atLine(lineCount(text), noContent);
  return atLine(lineCount(text), `did not find expected ',' or '${closing(text)}'`);
}

/** Whether what stands before this line is a text without quotes, which would go on here. */
function isAfterPlainText(text: string, position: number): boolean {
  const lineStart = text.lastIndexOf('\n', position - 1) + 1;
  return text[lineStart] === '\t' && !/(?:^|[:}\]"']|(?:^|\s)[-?])\s*$/.test(text.slice(0, lineStart));
}

/** What would close the list or map that is open where the text ends. */
function closing(text: string): string {
  return opened(text).brackets.at(-1) === '[' ? ']' : '}';
}

/** What is open where the text ends; brackets in quotes are passed over. */
function opened(text: string): { readonly brackets: readonly string[]; readonly quote: string } {
  const open: string[] = [];
  let quote = '';
  for (let at = 0; at < text.length; at++) {
    const character = text[at] as string;
    if (quote === '') {
      if (character === '"' || character === "'") quote = character;
      else if (character === '[' || character === '{') open.push(character);
      else if (character === ']' || character === '}') open.pop();
    } else if (character === quote) quote = '';
    else if (character === '\\' && quote === '"') at++;
  }
  return { brackets: open, quote };
}

/**
 * A text whose version of YAML is not known, or that begins with an unknown directive or a line that is moved in by a tab. Looks at no more than what stands
 * before the document's second line.
 */
export function directiveFault(text: string): string | undefined {
  let [at, hasBegun] = [0, false];
  for (let index = 0; at < text.length; index++) {
    const end = text.indexOf('\n', at);
    const line = text.slice(at, end < 0 ? text.length : end);
    // The parser counts from the line before, and leaves out what counts as none.
    const scannedLine = index === 0 ? 0 : index + 1;
    if (/^\ufeff? *\t/.test(line)) return atLine(scannedLine, cannotStart);
    if (/^---[ \t]*(?:#|\r?$)/.test(line)) hasBegun = true;
    else if (/^---(?:\s|$)/.test(line) || !/^\ufeff?\s*(?:#|$)|^%/.test(line)) return undefined;
    const [, name, version] = hasBegun ? [] : (/^%([\w-]*)[ \t]*(\S*)/.exec(line) ?? []);
    if (name === 'YAML' && version !== '1.1') return atLine(index, 'found incompatible YAML document');
    if (name !== undefined && name !== 'YAML' && name !== 'TAG') return atLine(scannedLine, 'found unknown directive name');
    at += line.length + 1;
  }
  return undefined;
}

/**
 * What go-yaml finds wrong where a document that is a list or a map in block style has ended for the reader here, and something else begins. Nothing where it looks
 * no further either.
 */
export function faultBehind(text: string, end: number): string | undefined {
  const first = /^(?:\ufeff?[ \t]*(?:#.*)?\n|---[ \t]*\n)*([ \t]*)(.)/.exec(text);
  if (first === null) return undefined;
  const [{ length }, indent = '', character = ''] = first;
  if (indent.includes('\t')) return cannotStart;
  const line = linesBefore(text, end);
  const column = end - text.lastIndexOf('\n', end - 1) - 1;
  const directive = column === 0 ? /^%([\w-]*)/.exec(text.slice(end, end + 100)) : null;
  if (directive !== null) return atLine(line + 1, directive[1] === '' ? 'could not find expected directive name' : 'found unknown directive name');
  if (column !== indent.length || '[{"\'&!*|>'.includes(character)) return undefined;
  const isList = character === '-' && /\s/.test(text[length] ?? ' ');
  return atLine(linesBefore(text, length) || line, isList ? "did not find expected '-' indicator" : 'did not find expected key');
}

function linesBefore(text: string, end: number): number {
  return text.slice(0, end).split('\n').length - 1;
}

const anchorName = '([^\\s,[\\]{}]+)';

/** Of what contains itself: the first anchor that something refers to. */
export function selfContained(text: string): string {
  const used = new Set([...text.matchAll(new RegExp(`\\*${anchorName}`, 'g'))].map(([, name]) => name));
  for (const [, name] of text.matchAll(new RegExp(`&${anchorName}`, 'g'))) if (used.has(name)) return `anchor '${name}' value contains itself`;
  return 'anchor value contains itself';
}

/** Values that are printed of a key or of what stands behind one; aliases may unfold to any number. */
const printedMax = 100;

/** %#v of what go-yaml has read; what is long is cut. */
export function yamlSyntax(value: unknown): string {
  let left = printedMax;
  const print = (inner: unknown): string => {
    if (left-- <= 0) return '...';
    if (Array.isArray(inner)) return `[]interface {}{${inner.slice(0, printedMax).map(print).join(', ')}}`;
    if (typeof inner !== 'object' || inner === null) return goSyntax(inner as JsonValue);
    const entries = Object.entries(inner).slice(0, printedMax);
    return `map[interface {}]interface {}{${entries.map(([key, held]) => `${goSyntax(key)}:${print(held)}`).join(', ')}}`;
  };
  // Alone, nothing has no type.
  return value === null ? '<nil>' : print(value);
}

/** As warnings: YAML tells all that is said twice as one fault, of many lines. */
export function toldApart(fault: string): readonly string[] {
  const [first = '', ...lines] = fault.split('\n');
  return lines.length === 0 ? [fault] : [...(first === 'yaml: unmarshal errors:' ? [] : [first]), ...lines.map((line) => line.trim())];
}
