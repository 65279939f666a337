/** Selectors of devices as programs: each expression is compiled once, and forgotten with the others when they are many. */
import { compileSelector } from '../../cel/device.ts';

const programsMax = 100;

export class SelectorPrograms {
  readonly #programs = new Map<string, ReturnType<typeof compileSelector>>();

  compiled(expression: string): ReturnType<typeof compileSelector> {
    const known = this.#programs.get(expression);
    if (known !== undefined) return known;
    if (this.#programs.size === programsMax) this.#programs.clear();
    const program = compileSelector(expression);
    this.#programs.set(expression, program);
    return program;
  }
}
