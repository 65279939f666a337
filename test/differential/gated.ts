/** Both sides with all gates on, or off, that change what an API server answers, and with every version served. */
import { gatesOf, serverOptions } from '../contract/gates/cases.ts';

/** `state`: `on`, `off`, or nothing for a server as it is. */
export function gatedOptions(state: string | undefined): Readonly<Record<string, string>> {
  if (state === undefined) return {};
  if (state !== 'on' && state !== 'off') throw new Error(`--gates=${state}: on or off`);
  return { 'feature-gates': gatesOf(state), 'runtime-config': serverOptions['runtime-config'] };
}
