/**
 * Executes Go templates over JSON values. Mirrors text/template/exec.go for data made of maps, lists and scalars: a key that is not
 * there is no value and no error, also below one that is not there.
 */
import { getOwn } from '../../base/dictionary.ts';
import type { Command, Operand, Pipe, Template, TemplateNode } from './parse.ts';
import { TemplateError } from './tokens.ts';
import { isTrue, show, type Value } from './values.ts';

export type TemplateFunction = (...values: readonly Value[]) => Value;
export type TemplateFunctions = ReadonlyMap<string, TemplateFunction>;

/** What a template may write, and how many steps it may take, so that no loop holds up the cluster. */
const outputMax = 1 << 20;
const stepsMax = 50_000;
/** How deep templates may use templates; upstream allows 100,000. */
const depthMax = 1_000;

/** The text of the template for the data. Throws TemplateError. */
export function executeTemplate({ nodes, defined }: Template, data: Value, functions: TemplateFunctions): string {
  return new Execution(data, functions, defined).run(nodes);
}

/** Ends the rounds of a `range`. */
class Jump extends Error {
  readonly ends: boolean;
  constructor(ends: boolean) {
    super('outside of a range');
    this.name = 'Jump';
    this.ends = ends;
  }
}

interface Variable {
  readonly name: string;
  value: Value;
}

class Execution {
  readonly #functions: TemplateFunctions;
  readonly #defined: Template['defined'];
  #variables: Variable[];
  readonly #data: Value;
  #depth = 0;
  #output = '';
  #steps = 0;

  constructor(data: Value, functions: TemplateFunctions, defined: Template['defined']) {
    this.#data = data;
    this.#functions = functions;
    this.#defined = defined;
    this.#variables = [{ name: '$', value: data }];
  }

  run(nodes: readonly TemplateNode[]): string {
    this.#walk(nodes, this.#data);
    return this.#output;
  }

  #write(text: string): void {
    if (this.#output.length + text.length > outputMax) throw new TemplateError(`the template writes more than ${outputMax} bytes`);
    this.#output += text;
  }

  #step(): void {
    if (++this.#steps > stepsMax) throw new TemplateError(`the template takes more than ${stepsMax} steps`);
  }

  /** What is declared within is forgotten behind it. */
  #within(nodes: readonly TemplateNode[], dot: Value, depth = this.#variables.length): void {
    try {
      this.#walk(nodes, dot);
    } finally {
      this.#variables.length = depth;
    }
  }

  #walk(nodes: readonly TemplateNode[], dot: Value): void {
    for (const node of nodes) {
      this.#step();
      switch (node.type) {
        case 'text':
          this.#write(node.text);
          break;
        case 'action': {
          const value = this.#pipe(node.pipe, dot);
          if (node.pipe.variables.length === 0) this.#write(show(value));
          break;
        }
        case 'break':
        case 'continue':
          throw new Jump(node.type === 'break');
        case 'range':
          this.#range(node, dot);
          break;
        case 'template':
          this.#use(node.name, node.pipe === undefined ? undefined : this.#pipe(node.pipe, dot));
          break;
        default: {
          const depth = this.#variables.length;
          const value = this.#pipe(node.pipe, dot);
          const chosen = isTrue(value) ? node.body : node.otherwise;
          this.#within(chosen, node.type === 'with' && chosen === node.body ? value : dot, depth);
        }
      }
    }
  }

  /** A template that is defined sees nothing but what it is given. */
  #use(name: string, data: Value): void {
    const nodes = this.#defined.get(name);
    if (nodes === undefined) throw new TemplateError(`template ${JSON.stringify(name)} not defined`);
    if (++this.#depth > depthMax) throw new TemplateError(`exceeded maximum template depth (${depthMax})`);
    const variables = this.#variables;
    this.#variables = [{ name: '$', value: data }];
    this.#walk(nodes, data);
    this.#variables = variables;
    this.#depth--;
  }

  #range({ pipe, body, otherwise }: Extract<TemplateNode, { type: 'range' | 'if' | 'with' }>, dot: Value): void {
    const depth = this.#variables.length;
    const over = this.#commands(pipe.commands, dot);
    const entries = entriesOf(over);
    if (entries.length === 0) return this.#within(otherwise, dot, depth);
    for (const [key, value] of entries) {
      this.#step();
      const [first, second] = pipe.variables;
      if (second !== undefined) this.#declare(pipe.assigns, first ?? '', key);
      if (first !== undefined) this.#declare(pipe.assigns, second ?? first, value);
      try {
        this.#within(body, value, depth);
      } catch (error) {
        if (!(error instanceof Jump)) throw error;
        if (error.ends) break;
      }
    }
  }

  #declare(assigns: boolean, name: string, value: Value): void {
    if (!assigns) {
      this.#variables.push({ name, value });
      return;
    }
    this.#variable(name).value = value;
  }

  #variable(name: string): Variable {
    const found = this.#variables.findLast((variable) => variable.name === name);
    if (found === undefined) throw new TemplateError(`undefined variable ${JSON.stringify(name)}`);
    return found;
  }

  #pipe(pipe: Pipe, dot: Value): Value {
    const value = this.#commands(pipe.commands, dot);
    for (const name of pipe.variables) this.#declare(pipe.assigns, name, value);
    return value;
  }

  #commands(commands: readonly Command[], dot: Value): Value {
    let value: Value;
    commands.forEach((command, index) => {
      value = this.#command(command, dot, index === 0 ? [] : [value]);
    });
    return value;
  }

  #command([first, ...operands]: Command, dot: Value, piped: readonly Value[]): Value {
    if (first?.type === 'function') return this.#call(first.name, operands, dot, piped);
    if (operands.length > 0 || piped.length > 0) throw new TemplateError("can't give argument to non-function");
    return first === undefined ? undefined : this.#evaluate(first, dot);
  }

  #call(name: string, operands: readonly Operand[], dot: Value, piped: readonly Value[]): Value {
    if (name === 'and' || name === 'or') return this.#shortCircuit(name, operands, dot, piped);
    const act = this.#functions.get(name);
    if (act === undefined) throw new TemplateError(`function ${JSON.stringify(name)} not defined`);
    const result = act(...operands.map((operand) => this.#evaluate(operand, dot)), ...piped);
    if (typeof result === 'string' && result.length > outputMax) throw new TemplateError(`${name} gives more than ${outputMax} bytes`);
    return result;
  }

  /** Arguments behind the one that decides are not looked at. */
  #shortCircuit(name: 'and' | 'or', operands: readonly Operand[], dot: Value, piped: readonly Value[]): Value {
    let value: Value;
    for (const operand of operands) {
      value = this.#evaluate(operand, dot);
      if (isTrue(value) === (name === 'or')) return value;
    }
    return piped.length > 0 ? piped[0] : value;
  }

  #evaluate(operand: Operand, dot: Value): Value {
    switch (operand.type) {
      case 'dot':
        return dot;
      case 'nil':
        return null;
      case 'literal':
        return operand.value;
      case 'function':
        return this.#call(operand.name, [], dot, []);
      case 'variable':
        return this.#variable(operand.name).value;
      case 'pipe':
        return this.#pipe(operand.pipe, dot);
      default:
        return operand.fields.reduce((value, field) => fieldOf(value, field), this.#evaluate(operand.of, dot));
    }
  }
}

function fieldOf(value: Value, field: string): Value {
  if (value === undefined) return undefined;
  if (value === null) throw new TemplateError(`nil pointer evaluating interface {}.${field}`);
  if (typeof value !== 'object' || Array.isArray(value)) throw new TemplateError(`can't evaluate field ${field} in type ${typeof value}`);
  return getOwn(value as { readonly [key: string]: Value }, field);
}

/** Maps in the order of their keys; numbers count. */
function entriesOf(value: Value): readonly (readonly [Value, Value])[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return (value as readonly Value[]).map((item, index) => [index, item]);
  if (typeof value === 'object') return Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  if (typeof value === 'number' && Number.isInteger(value)) {
    if (value > stepsMax) throw new TemplateError(`the template takes more than ${stepsMax} steps`);
    return Array.from({ length: Math.max(0, value) }, (_, index) => [index, index]);
  }
  throw new TemplateError(`range can't iterate over ${show(value)}`);
}
