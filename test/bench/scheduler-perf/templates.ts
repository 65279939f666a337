/** Objects that upstream's template files make: YAML in which `{{ Mod .Index 12 }}` and the like stand for numbers. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parse } from 'yaml';

export interface Made {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name?: string;
    readonly generateName?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly status?: Readonly<Record<string, unknown>>;
}

const actions = /\{\{-?\s*(.*?)\s*-?\}\}/g;

const functions: Readonly<Record<string, (a: number, b: number) => number>> = {
  AddInt: (a, b) => a + b,
  SubtractInt: (a, b) => a - b,
  MultiplyInt: (a, b) => a * b,
  DivideInt: (a, b) => Math.trunc(a / b),
  Mod: (a, b) => a % b,
};

export class Templates {
  readonly #folder: string;
  readonly #texts = new Map<string, string>();
  readonly #static = new Map<string, Made>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The object with that index of so many. Those whose template asks for neither are one and the same. */
  read(path: string, index = 0, count = 1): Made {
    const known = this.#static.get(path);
    if (known !== undefined) return known;
    let text = this.#texts.get(path);
    if (text === undefined) this.#texts.set(path, (text = readFileSync(resolve(this.#folder, path), 'utf8')));
    if (text.includes('{{'))
      return parse(text.replace(actions, (_, action: string) => String(evaluated(action, { Index: index, Count: count })))) as Made;
    const made = parse(text) as Made;
    this.#static.set(path, made);
    return made;
  }
}

function evaluated(action: string, values: Readonly<Record<string, number>>): number {
  const numbers = (words: readonly string[]): readonly number[] =>
    words.map((word) => {
      const value = word.startsWith('.') ? values[word.slice(1)] : Number(word);
      if (value === undefined || Number.isNaN(value)) throw new Error(`no value of ${word} in {{ ${action} }}`);
      return value;
    });
  const words = action.split(/\s+/);
  const called = functions[words[0] as string];
  if (called === undefined && words.length === 1) return numbers(words)[0] as number;
  const [a, b] = numbers(words.slice(1));
  if (called === undefined || a === undefined || b === undefined) throw new Error(`{{ ${action} }} is not understood`);
  return called(a, b);
}
