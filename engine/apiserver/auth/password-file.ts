/**
 * Passwords that stand in a file with their users, as releases before 1.19 took them: `password,user,uid,"group1,group2"`. Mirrors apiserver
 * plugin/pkg/authenticator/password/passwordfile and request/basicauth of 1.13.
 */
import { type CsvDialect, csvRecords } from '../../apimachinery/go-csv.ts';
import type { Identity } from '../../contracts/request.ts';
import type { Authenticated } from '../../contracts/tokens.ts';
import { utf8 } from './header-text.ts';
import { TokenFileError } from './token-file.ts';

/** Whose name and password a header `Authorization` holds; undefined where it holds none. */
export type PasswordAuthenticator = (authorization: string | undefined) => Authenticated<Identity>;

/** Throws TokenFileError and CsvFault. Of two lines about one user the last counts. */
export function createPasswordAuthenticator(text: string, path: string, dialect?: CsvDialect): PasswordAuthenticator {
  const users = new Map<string, { readonly password: string; readonly identity: Identity }>();
  for (const record of csvRecords(text, dialect)) {
    const [password = '', name, uid, groups] = record;
    if (name === undefined || uid === undefined)
      throw new TokenFileError(`password file '${path}' must have at least 3 columns (password, user name, user uid), found ${record.length}`);
    const identity = { name, ...(uid === '' ? {} : { uid }), groups: groups === undefined ? [] : groups.split(',') };
    users.set(name, { password, identity });
  }
  return (authorization) => {
    const pair = basicPair(authorization);
    if (pair === undefined) return undefined;
    const user = users.get(pair.name);
    if (user === undefined || user.password !== pair.password) return { error: 'invalid username/password combination' };
    return { identity: user.identity, audiences: [] };
  };
}

/** Mirrors BasicAuth of net/http: base64 with its padding, and a colon behind the name. */
function basicPair(authorization = ''): { readonly name: string; readonly password: string } | undefined {
  if (authorization.slice(0, 6).toLowerCase() !== 'basic ') return undefined;
  const encoded = authorization.slice(6);
  if (encoded.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(encoded)) return undefined;
  const text = utf8(Uint8Array.from(atob(encoded), (letter) => letter.charCodeAt(0)));
  const colon = text.indexOf(':');
  return colon < 0 ? undefined : { name: text.slice(0, colon), password: text.slice(colon + 1) };
}
