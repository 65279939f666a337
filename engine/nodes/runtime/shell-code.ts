/** The code a script is compiled to: flat lists of plain data, so that a running script is a position and some variables (law 9). */
export type Part =
  /** `quoted`: its characters mean themselves in a pattern. */
  | { readonly type: 'text'; readonly text: string; readonly quoted?: boolean }
  /** A piece of a pattern: `*`, `?`, `[a-z]`. */
  | { readonly type: 'glob'; readonly text: string }
  | {
      readonly type: 'variable';
      readonly name: string;
      readonly quoted: boolean;
      readonly operator?: string;
      readonly operand?: Word;
      readonly second?: Word;
    }
  | { readonly type: 'command'; readonly code: Code; readonly quoted: boolean }
  | { readonly type: 'arithmetic'; readonly expression: Arithmetic; readonly quoted: boolean };

export type Word = readonly Part[];

export type Arithmetic =
  | { readonly type: 'number'; readonly value: number }
  | { readonly type: 'word'; readonly word: Word }
  | { readonly type: 'name'; readonly name: string }
  | { readonly type: 'unary'; readonly operator: string; readonly operand: Arithmetic; readonly prefix: boolean }
  | { readonly type: 'binary'; readonly operator: string; readonly left: Arithmetic; readonly right: Arithmetic }
  | { readonly type: 'ternary'; readonly test: Arithmetic; readonly yes: Arithmetic; readonly no: Arithmetic };

export interface Redirection {
  readonly fd: number;
  readonly operator: string;
  readonly target: Word;
}

export type Instruction =
  | {
      readonly op: 'run';
      readonly words: readonly Word[];
      readonly assigns: readonly (readonly [string, Word])[];
      readonly redirects: readonly Redirection[];
      /** It is asked whether it works: under `set -e` its failure ends nothing. */
      readonly tested?: boolean;
    }
  | { readonly op: 'jump' | 'ifOk' | 'ifFail'; readonly to: number }
  | { readonly op: 'not' }
  | { readonly op: 'endFor' }
  /** Of an earlier build. */
  | { readonly op: 'return' }
  | { readonly op: 'for'; readonly words: readonly Word[] }
  | { readonly op: 'next'; readonly name: string; readonly to: number }
  | { readonly op: 'pipe'; readonly stages: readonly Code[]; readonly tested?: boolean }
  | { readonly op: 'subshell'; readonly code: Code; readonly tested?: boolean }
  /** For what follows up to `endRedirect`; `to` is behind that, where a file cannot be opened. */
  | { readonly op: 'redirect'; readonly redirects: readonly Redirection[]; readonly to: number }
  | { readonly op: 'endRedirect' }
  | { readonly op: 'background'; readonly code: Code }
  /** A function of an earlier build's script, whose body follows. */
  | { readonly op: 'define'; readonly name: string; readonly to: number }
  | { readonly op: 'function'; readonly name: string; readonly code: Code }
  | { readonly op: 'local'; readonly names: readonly string[]; readonly unset?: readonly string[] }
  | {
      readonly op: 'case';
      readonly word: Word;
      readonly cases: readonly { readonly patterns: readonly Word[]; readonly to: number }[];
      readonly to: number;
    }
  | { readonly op: 'arithmetic'; readonly expression: Arithmetic; readonly tested?: boolean }
  /** Both of an earlier build. */
  | { readonly op: 'trap'; readonly handler: number; readonly to: number }
  /** What SIGTERM does: empty code is nothing, null what it does without a trap. */
  | { readonly op: 'onTerm'; readonly code: Code | null }
  /** Ends the script with this code, or with the last status. */
  | { readonly op: 'exit'; readonly code: number | null; readonly message?: string };

export type Code = readonly Instruction[];
