/** Tokens that stand in a file with their users: `token,user,uid,"group1,group2"`. Mirrors apiserver pkg/authentication/token/tokenfile. */
import type { Identity } from '../../contracts/request.ts';
import type { TokenAuthenticator } from './authenticator.ts';

/** What is wrong with a file of tokens or passwords, in upstream's words where they are known. */
export class TokenFileError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'TokenFileError';
  }
}

/** `audiences` are the API server's own, which these tokens are good for. Throws TokenFileError. */
export function createTokenFileAuthenticator(text: string, path: string, audiences: readonly string[]): TokenAuthenticator {
  const users = new Map<string, Identity>();
  for (const [token = '', name, uid, groups, ...more] of readCsv(text)) {
    const columns = [token, name, uid, groups].filter((column) => column !== undefined).length + more.length;
    if (name === undefined || uid === undefined)
      throw new TokenFileError(`token file '${path}' must have at least 3 columns (token, user name, user uid), found ${columns}`);
    if (token !== '') users.set(token, { name, ...(uid === '' ? {} : { uid }), groups: groups === undefined ? [] : groups.split(',') });
  }
  return (token, wanted) => {
    const identity = users.get(token);
    const shared = wanted === undefined ? audiences : audiences.filter((audience) => wanted.includes(audience));
    return identity === undefined || (wanted !== undefined && shared.length === 0) ? undefined : { identity, audiences: shared };
  };
}

/** Lines of fields, as Go's encoding/csv reads them: empty lines are none, a field in quotes may hold everything. */
export function readCsv(text: string): readonly (readonly string[])[] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  let line = 1;
  const endRow = (): void => {
    rows.push(row);
    row = [];
  };
  while (at < text.length) {
    if (row.length === 0 && /^\r?\n/.test(text.slice(at, at + 2))) {
      at = text.indexOf('\n', at) + 1;
      line++;
      continue;
    }
    const { field, end } = text[at] === '"' ? quotedField(text, at, line) : plainField(text, at, line);
    row.push(field);
    line += field.split('\n').length - 1;
    if (text[end] === ',') {
      at = end + 1;
      if (at >= text.length || text[at] === '\n' || text.startsWith('\r\n', at)) row.push('');
      else continue;
    } else at = end;
    if (text.startsWith('\r\n', at)) at += 2;
    else at += 1;
    line++;
    endRow();
  }
  return rows;
}

interface Field {
  readonly field: string;
  readonly end: number;
}

function plainField(text: string, from: number, line: number): Field {
  let end = from;
  while (end < text.length && text[end] !== ',' && text[end] !== '\n' && !text.startsWith('\r\n', end)) end++;
  const field = text.slice(from, end);
  if (field.includes('"')) throw new TokenFileError(`parse error on line ${line}, column ${field.indexOf('"') + 1}: bare " in non-quoted field`);
  return { field, end };
}

function quotedField(text: string, from: number, line: number): Field {
  let field = '';
  let at = from + 1;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote < 0) throw new TokenFileError(`record on line ${line}: parse error on line ${line}: extraneous or missing " in quoted-field`);
    field += text.slice(at, quote);
    if (text[quote + 1] !== '"') {
      const end = quote + 1;
      if (end < text.length && text[end] !== ',' && text[end] !== '\n' && !text.startsWith('\r\n', end))
        throw new TokenFileError(`parse error on line ${line}, column ${end - from + 1}: extraneous or missing " in quoted-field`);
      return { field, end };
    }
    field += '"';
    at = quote + 2;
  }
}
