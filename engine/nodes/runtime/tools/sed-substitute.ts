/** `s/…/…/` of `sed`. */
import type { ShellBudget } from '../shell-budget.ts';
import type { Match } from './expressions.ts';
import type { SedCommand } from './sed-script.ts';

/** Undefined where nothing matches. */
export function substitute(text: string, command: Extract<SedCommand, { name: 's' }>, budget: ShellBudget): string | undefined {
  let made = '';
  let [from, count, done] = [0, 0, false];
  let lastEnd = -1;
  for (let at = 0; at <= text.length && !done; ) {
    const match = command.expression.find(text, at, budget);
    if (match === undefined) break;
    // An empty match just after another one does not count.
    const counts = match.end > match.start || match.start !== lastEnd;
    if (counts && ++count >= command.nth) {
      made += text.slice(from, match.start) + replacementOf(command.replacement, text, match);
      budget.text(made.length + text.length);
      from = match.end;
      done = !command.isGlobal;
    }
    lastEnd = match.end;
    at = match.end > match.start ? match.end : match.end + 1;
  }
  return count < command.nth ? undefined : made + text.slice(from);
}

function replacementOf(parts: readonly (string | number)[], text: string, match: Match): string {
  return parts
    .map((part) => (typeof part === 'string' ? part : part === 0 ? text.slice(match.start, match.end) : (match.groups[part - 1] ?? '')))
    .join('');
}
