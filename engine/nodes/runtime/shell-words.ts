/** Words of a script that need no compiler. */
import type { Command } from 'unbash';
import type { Part, Word } from './shell-code.ts';

export const allArguments: Word = [{ type: 'variable', name: '@', quoted: true }];

/** Names with a value, and such without one. */
export function localNames({ suffix }: Command): { readonly names: readonly string[]; readonly unset: readonly string[] } {
  const given = suffix.flatMap((part) => (part.type === 'Assignment' ? [part.name] : []));
  const unset = suffix.flatMap((part) => (part.type === 'Word' && isName(part.value) ? [part.value] : []));
  return { names: [...given, ...unset], unset };
}

function isName(text: string): boolean {
  return /^[A-Za-z_]\w*$/.test(text);
}

export function literal(text: string): Word {
  return [{ type: 'text', text }];
}

/** What a quote or a backslash has taken the meaning of. */
export function textPart(text: string, quoted: boolean): Part {
  return quoted && /[\\*?[\]]/.test(text) ? { type: 'text', text, quoted } : { type: 'text', text };
}
