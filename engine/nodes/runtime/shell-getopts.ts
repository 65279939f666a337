/** `getopts`: one option of a script's arguments after the other. */
import { getOwn } from '../../base/dictionary.ts';
import type { SimpleCommand } from './shell-commands.ts';
import { setVariable } from './shell-expand.ts';
import { ScriptFault } from './shell-faults.ts';
import { forget } from './shell-variables.ts';

/** `OPTIND` says which argument comes next, what stands behind a dot in ours how much of it has been read. */
export const getopts: SimpleCommand = ([wanted, variable, ...given], context, { err }) => {
  if (wanted === undefined || variable === undefined) throw new ScriptFault('usage: getopts optstring var [arg]');
  const { state } = context;
  const args = given.length > 0 ? given : state.args.slice(1);
  const place = getOwn(state.vars, 'OPTIND') ?? '1';
  const said = Math.max(1, Math.trunc(Number(place)) || 1);
  const index = said > args.length + 1 ? 1 : said;
  const inside = state.optionAt.index === index ? state.optionAt.inside : 1;
  const arg = args[index - 1] ?? '';
  const finish = (value: string, next: number, within = 1): void => {
    setVariable(variable, value, context);
    setVariable('OPTIND', String(next), context);
    state.optionAt = { index: next, inside: within };
  };
  if (!/^-./.test(arg) || arg === '--') {
    finish('?', arg === '--' ? index + 1 : index);
    return { status: 1 };
  }
  const letter = arg[inside] ?? '';
  const isSilent = wanted.startsWith(':');
  const at = letter === ':' ? -1 : wanted.indexOf(letter, isSilent ? 1 : 0);
  const isLast = inside + 1 >= arg.length;
  forget('OPTARG', context);
  const fail = (value: string, text: string, next: number, within = 1): { status: number } => {
    finish(isSilent ? value : '?', next, within);
    if (isSilent) setVariable('OPTARG', letter, context);
    else err(text);
    return { status: 0 };
  };
  if (at < 0) return fail('?', `Illegal option -${letter}\n`, isLast ? index + 1 : index, isLast ? 1 : inside + 1);
  if (wanted[at + 1] !== ':') {
    finish(letter, isLast ? index + 1 : index, isLast ? 1 : inside + 1);
    return { status: 0 };
  }
  const value = isLast ? args[index] : arg.slice(inside + 1);
  if (value === undefined) return fail(':', `No arg for -${letter} option\n`, index + 1);
  setVariable('OPTARG', value, context);
  finish(letter, isLast ? index + 2 : index + 1);
  return { status: 0 };
};
