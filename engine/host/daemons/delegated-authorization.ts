/** What a daemon's paths let whom do: asked of the API server, answers kept. Mirrors apiserver pkg/server/options/authorization.go. */
import { superuserGroup } from '../../contracts/access.ts';
import type { SubjectAccessReview } from '../../api/authorization/v1/types.gen.ts';
import type { Identity } from '../../contracts/request.ts';
import { Connection } from '../remote/connection.ts';
import { AnswerCache } from './answer-cache.ts';
import { badUsage, type FlagValues } from './flag-set.ts';
import type { DaemonLog } from './log.ts';
import { reviewServer } from './review-server.ts';

/** Who may all, without anybody being asked. */
const place = 'authorization';

export interface Verdict {
  readonly isAllowed: boolean;
  /** Why not, in the words of whoever was asked. */
  readonly reason: string;
}

export interface Authorization {
  authorize(identity: Identity, verb: string, path: string): Promise<Verdict>;
  close(): void;
}

const refused: Verdict = { isAllowed: false, reason: '' };
const allowed: Verdict = { isAllowed: true, reason: '' };

/** Throws a CommandError for paths that are none. */
export function delegatedAuthorization(flags: FlagValues, log: DaemonLog, nowMs: () => number): Authorization {
  const isFree = freePaths(flags.list('authorization-always-allow-paths'));
  const server = reviewServer(flags, 'authorization');
  const connection = server === undefined ? undefined : new Connection(server, 'wavetank-delegated-authorization');
  const kept = new AnswerCache<Verdict>(nowMs);
  const ttlMs = (verdict: Verdict): number =>
    flags.milliseconds(`authorization-webhook-cache-${verdict.isAllowed ? 'authorized' : 'unauthorized'}-ttl`);
  return {
    async authorize(identity, verb, path) {
      if (identity.groups.includes(superuserGroup) || isFree(path)) return allowed;
      if (connection === undefined) return refused;
      const key = JSON.stringify([identity, verb, path]);
      const known = kept.get(key);
      if (known !== undefined) return known;
      const verdict = await review(connection, log, identity, verb, path);
      if (verdict === undefined) return refused;
      kept.set(key, verdict, ttlMs(verdict));
      return verdict;
    },
    close: () => connection?.close(),
  };
}

/** Undefined where nobody answered: that is not kept. */
async function review(connection: Connection, log: DaemonLog, identity: Identity, verb: string, path: string): Promise<Verdict | undefined> {
  const { name, groups, extra = {} } = identity;
  const spec = { user: name, groups: [...groups], extra, nonResourceAttributes: { path, verb } };
  const body = { apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview', spec };
  try {
    const { status } = await connection.call<SubjectAccessReview>('POST', '/apis/authorization.k8s.io/v1/subjectaccessreviews', body);
    return { isAllowed: status?.allowed === true, reason: status?.reason ?? '' };
  } catch (error) {
    log.error(place, `access could not be reviewed: ${(error as Error).message}`);
    return undefined;
  }
}

/** Whole paths, and those that end with `*`. Mirrors authorizerfactory's path authorizer. */
function freePaths(paths: readonly string[]): (path: string) => boolean {
  const plain = paths.map((path) => path.replace(/^\/+/, ''));
  const wrong = plain.find((path) => path.slice(0, -1).includes('*'));
  if (wrong !== undefined) throw badUsage(`only trailing * allowed in ${JSON.stringify(wrong)}`);
  return (path) => {
    const asked = path.replace(/^\/+/, '');
    return plain.some((one) => (one.endsWith('*') ? asked.startsWith(one.slice(0, -1)) : one === asked));
  };
}
