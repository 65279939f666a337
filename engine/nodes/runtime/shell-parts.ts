/** Words, redirections and expressions of a script's syntax tree as parts of shell code. */
import type {
  ArithmeticExpression,
  Assignment,
  ParameterExpansionPart,
  Redirection as RedirectionNode,
  Script,
  Word as WordNode,
  WordPart,
} from 'unbash';
import type { Arithmetic, Code, Part, Redirection, Word } from './shell-code.ts';
import { literal, textPart } from './shell-words.ts';

/** `compile` makes code of the scripts inside of words. */
export class Parts {
  readonly #compile: (script: Script | undefined) => Code;

  constructor(compile: (script: Script | undefined) => Code) {
    this.#compile = compile;
  }

  word(node: WordNode): Word {
    const parts = node.parts?.flatMap((one) => this.#part(one, false)) ?? [textPart(node.value, node.text !== node.value)];
    return node.text.startsWith('~') ? afterTilde(parts) : parts;
  }

  /** `A=$x` as one word, of which nothing is split. */
  assignment({ name, value }: Assignment): Word {
    const word = value.type === 'Word' ? this.word(value) : [];
    return [
      { type: 'text', text: `${name}=` },
      ...word.map((one): Part => (one.type === 'glob' ? { type: 'text', text: one.text } : { ...one, quoted: true })),
    ];
  }

  quotedWord(node: WordNode): Word {
    return node.parts === undefined ? literal(node.value) : node.parts.flatMap((one) => this.#part(one, true));
  }

  redirection(node: RedirectionNode): readonly Redirection[] {
    if (node.type === 'HereDoc') {
      const target = node.body.parts === undefined ? literal(node.body.text) : node.body.parts.flatMap((one) => this.#part(one, true));
      return [{ fd: 0, operator: '<<', target: node.operator === '<<-' ? withoutTabs(target) : target }];
    }
    if (node.target === undefined) return [];
    const target = this.word(node.target);
    if (node.type === 'HereString') return [{ fd: 0, operator: '<<', target: [...target, { type: 'text', text: '\n' }] }];
    const fallback = node.operator.startsWith('<') ? 0 : 1;
    return [{ fd: node.descriptor?.type === 'FileDescriptor' ? node.descriptor.value : fallback, operator: node.operator, target }];
  }

  arithmetic(node: ArithmeticExpression | undefined): Arithmetic {
    if (node === undefined) return { type: 'number', value: 0 };
    switch (node.type) {
      case 'ArithmeticBinary':
        return { type: 'binary', operator: node.operator, left: this.arithmetic(node.left), right: this.arithmetic(node.right) };
      case 'ArithmeticUnary':
        return { type: 'unary', operator: node.operator, operand: this.arithmetic(node.operand), prefix: node.prefix };
      case 'ArithmeticTernary': {
        const [test, yes, no] = [node.test, node.consequent, node.alternate].map((one) => this.arithmetic(one)) as [
          Arithmetic,
          Arithmetic,
          Arithmetic,
        ];
        return { type: 'ternary', test, yes, no };
      }
      case 'ArithmeticGroup':
        return this.arithmetic(node.expression);
      case 'ArithmeticCommandExpansion':
        return { type: 'word', word: [{ type: 'command', code: this.#compile(node.script), quoted: true }] };
      case 'ArithmeticWord':
        if (node.parts !== undefined) return { type: 'word', word: node.parts.flatMap((one) => this.#part(one, true)) };
        return /^[A-Za-z_]\w*$/.test(node.value) ? { type: 'name', name: node.value } : { type: 'word', word: literal(node.value) };
    }
  }

  #part(node: WordPart, quoted: boolean): readonly Part[] {
    switch (node.type) {
      case 'DoubleQuoted':
      case 'LocaleString':
        return node.parts.length === 0 ? [{ type: 'text', text: '' }] : node.parts.flatMap((child) => this.#part(child, true));
      case 'SimpleExpansion':
        return [{ type: 'variable', name: node.text.slice(1), quoted }];
      case 'ParameterExpansion':
        return [this.#parameter(node, quoted)];
      case 'CommandExpansion':
        return [{ type: 'command', code: this.#compile(node.script), quoted }];
      case 'ArithmeticExpansion':
        return [{ type: 'arithmetic', expression: this.arithmetic(node.expression), quoted }];
      case 'Literal':
        return [textPart(node.value, quoted || node.text !== node.value)];
      case 'SingleQuoted':
      case 'AnsiCQuoted':
        return [textPart(node.value, true)];
      case 'Glob':
        return quoted ? [textPart(node.value, true)] : this.#glob(node);
      default:
        return [{ type: 'text', text: node.text }];
    }
  }

  /** A bracket may hold expansions. */
  #glob(node: Extract<WordPart, { type: 'Glob' }>): readonly Part[] {
    if (node.kind !== 'bracket' || node.parts.every(({ type }) => type === 'Literal')) return [{ type: 'glob', text: node.value }];
    return [{ type: 'glob', text: '[' }, ...node.parts.flatMap((one) => this.#part(one, false)), { type: 'glob', text: ']' }];
  }

  #parameter({ prefix, parameter: name, operation }: ParameterExpansionPart, quoted: boolean): Part {
    if (prefix === '#') return { type: 'variable', name, quoted, operator: 'length' };
    switch (operation?.type) {
      case undefined:
        return { type: 'variable', name, quoted, ...(prefix === '!' ? { operator: 'bad' } : {}) };
      case 'Default':
      case 'Remove':
        return { type: 'variable', name, quoted, operator: operation.operator, operand: this.word(operation.operand) };
      case 'Slice': {
        const second = operation.length === undefined ? {} : { second: this.word(operation.length) };
        return { type: 'variable', name, quoted, operator: 'slice', operand: this.word(operation.offset), ...second };
      }
      case 'Replace': {
        const operand = this.word(operation.pattern);
        return { type: 'variable', name, quoted, operator: operation.operator, operand, second: this.word(operation.replacement) };
      }
      default:
        return { type: 'variable', name, quoted, operator: 'bad' };
    }
  }
}

/** `~` at the beginning of a word is `$HOME`. */
function afterTilde(parts: Word): Word {
  const [first, ...rest] = parts;
  if (first?.type !== 'text' || !/^~(\/|$)/.test(first.text)) return parts;
  return [{ type: 'variable', name: 'HOME', quoted: true }, { ...first, text: first.text.slice(1) }, ...rest];
}

/** Those that begin lines, as `<<-` has it. */
function withoutTabs(word: Word): Word {
  return word.map((one, index) => (one.type === 'text' ? { ...one, text: one.text.replace(index === 0 ? /(^|\n)\t+/g : /(\n)\t+/g, '$1') } : one));
}
