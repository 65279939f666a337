import { timeQuote } from './quote.ts';

/** What Go finds wrong first with a text that is no duration; `show` writes it and its unit as they are quoted. */
export function durationFault(text: string, show = timeQuote): string {
  const good = /^[+-]?(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h)(?=[.\d]|$))*/.exec(text)?.[0] ?? '';
  const rest = text.slice(good.length);
  const number = /^(?:\d+(?:\.\d*)?|\.\d+)/.exec(rest)?.[0];
  if (number === undefined) return `invalid duration ${show(text)}`;
  const unit = /^[^.\d]*/.exec(rest.slice(number.length))?.[0] ?? '';
  return unit === '' ? `missing unit in duration ${show(text)}` : `unknown unit ${show(unit)} in duration ${show(text)}`;
}
