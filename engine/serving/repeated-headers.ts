/**
 * Headers that came several times. Node.js joins them to one text, and nobody could tell a name with a comma in it from two names:
 * who is asked for (`Impersonate-Group`, `X-Remote-Group`) is told by each header whole.
 */
import type { RawRequest } from './answers.ts';
import type { ServedRequest } from './exchange.ts';

/** Lists by themselves: whoever reads them reads them joined. */
const joined = /^(?:accept|cache-control|connection|expect|if-|pragma|sec-|te$|trailer|transfer-encoding|upgrade|via|x-forwarded-)/;

/** Those that came once are texts, the others lists in their order. */
export function headersOf({ headers, rawHeaders }: Pick<RawRequest, 'headers' | 'rawHeaders'>): ServedRequest['headers'] {
  if (Object.keys(headers).length * 2 >= rawHeaders.length) return headers;
  const values = new Map<string, string[]>();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name, value] = [(rawHeaders[at] ?? '').toLowerCase(), rawHeaders[at + 1] ?? ''];
    const before = values.get(name);
    if (before === undefined) values.set(name, [value]);
    else before.push(value);
  }
  // Of some Node.js keeps the first alone (`host`, `authorization`): they stay so.
  const told = ([name, value]: [string, ServedRequest['headers'][string]]): [string, typeof value] => {
    const list = joined.test(name) ? undefined : values.get(name);
    return [name, list !== undefined && list.length > 1 && value === list.join(', ') ? list : value];
  };
  return Object.fromEntries(Object.entries(headers).map(told));
}
