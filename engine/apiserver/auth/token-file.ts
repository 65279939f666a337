/** Tokens that stand in a file with their users: `token,user,uid,"group1,group2"`. Mirrors apiserver pkg/authentication/token/tokenfile. */
import { type CsvDialect, csvRecords } from '../../apimachinery/go-csv.ts';
import type { Identity } from '../../contracts/request.ts';
import { sharedAudiences, type TokenAuthenticator } from './authenticator.ts';

/** What is wrong with a file of tokens or passwords, in upstream's words where they are known. */
export class TokenFileError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'TokenFileError';
  }
}

/** `audiences` are the API server's own, which these tokens are good for. Throws TokenFileError and CsvFault. */
export function createTokenFileAuthenticator(text: string, path: string, audiences: readonly string[], dialect?: CsvDialect): TokenAuthenticator {
  const users = new Map<string, Identity>();
  for (const record of csvRecords(text, dialect)) {
    const [token = '', name, uid, groups] = record;
    if (name === undefined || uid === undefined)
      throw new TokenFileError(`token file '${path}' must have at least 3 columns (token, user name, user uid), found ${record.length}`);
    if (token !== '') users.set(token, { name, ...(uid === '' ? {} : { uid }), groups: groups === undefined ? [] : groups.split(',') });
  }
  return (token, wanted) => {
    const identity = users.get(token);
    const shared = sharedAudiences(audiences, wanted ?? audiences);
    return identity === undefined || (wanted !== undefined && shared.length === 0) ? undefined : { identity, audiences: shared };
  };
}
