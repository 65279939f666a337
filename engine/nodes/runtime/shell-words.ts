/** Words of a script that need no compiler. */
import type { Command } from 'unbash';
import type { Part, Word } from './shell-code.ts';

export const allArguments: Word = [{ type: 'variable', name: '@', quoted: true }];

export function localNames({ suffix }: Command): readonly string[] {
  return suffix.flatMap((part) => (part.type === 'Assignment' ? [part.name] : part.type === 'Word' && isName(part.value) ? [part.value] : []));
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
