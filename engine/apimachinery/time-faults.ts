/** What Go says of a text that is no time: it names the piece of the layout at which reading ended. Mirrors parse of Go's time/format.go. */
import { timeRangeFault } from './time.ts';

type Piece = readonly [name: string, form: RegExp];

const date: readonly Piece[] = [
  ['2006', /^\d{4}/],
  ['-', /^-/],
  ['01', /^\d\d/],
  ['-', /^-/],
  ['02', /^\d\d/],
  ['T', /^T/],
  ['15', /^\d\d?/],
  [':', /^:/],
  ['04', /^\d\d/],
  [':', /^:/],
];
const zone: Piece = ['Z07:00', /^(Z|[+-]\d\d:\d\d)/];
const seconds = '2006-01-02T15:04:05Z07:00';
const micros = '2006-01-02T15:04:05.000000Z07:00';
const piecesOfSeconds: readonly Piece[] = [...date, ['05', /^\d\d([.,]\d+)?/], zone];
const piecesOfMicros: readonly Piece[] = [...date, ['05', /^\d\d/], ['.000000', /^[.,]\d{6}/], zone];

/** The whole message. `isMicro`: six digits behind the second are wanted. */
export function timeFault(text: string, isMicro: boolean): string {
  const layout = isMicro ? micros : seconds;
  const said = JSON.stringify(text);
  const range = timeRangeFault(text);
  if (range !== undefined && (!isMicro || hasMicros(text))) return `parsing time ${said}: ${range}`;
  let rest = text;
  for (const [name, form] of isMicro ? piecesOfMicros : piecesOfSeconds) {
    const [found] = form.exec(rest) ?? [];
    if (found === undefined)
      return `parsing time ${said} as ${JSON.stringify(layout)}: cannot parse ${JSON.stringify(rest)} as ${JSON.stringify(name)}`;
    rest = rest.slice(found.length);
  }
  return `parsing time ${said}: extra text: ${JSON.stringify(rest)}`;
}

export function hasMicros(text: string): boolean {
  return /[.,]\d{6}(Z|[+-]\d\d:\d\d)$/.test(text);
}
