import { goQuote } from './quote.ts';

/** What Go finds wrong first with a text that is no duration. */
export function durationFault(text: string): string {
  const good = /^[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))*/.exec(text)?.[0] ?? '';
  const rest = text.slice(good.length);
  const number = /^(?:\d+\.?\d*|\.\d+)/.exec(rest)?.[0];
  if (number === undefined) return `invalid duration ${goQuote(text)}`;
  const unit = /^[^.\d]*/.exec(rest.slice(number.length))?.[0] ?? '';
  return unit === '' ? `missing unit in duration ${goQuote(text)}` : `unknown unit ${goQuote(unit)} in duration ${goQuote(text)}`;
}
