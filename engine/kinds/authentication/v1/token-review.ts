/** A question that POST answers; nothing is stored. The answer comes from the authenticators and authorizers. */
import type { TokenReview, TokenReviewStatus } from '../../../api/authentication/v1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { newBadRequest } from '../../../apimachinery/errors.ts';
import type { StrategyContext } from '../../../contracts/kind.ts';
import { userInfo } from './user-info.ts';

export const tokenReviewKind = defineKind<TokenReview>({
  group: 'authentication.k8s.io',
  version: 'v1',
  kind: 'TokenReview',
  plural: 'tokenreviews',
  singular: 'tokenreview',
  namespaced: false,
  schema: 'io.k8s.api.authentication.v1.TokenReview',
  storagePrefix: 'tokenreviews',
  verbs: ['create'],
  hasGeneration: false,
  nameValidation: 'none',
  createOnly: (object, context) => {
    if ((object.spec.token ?? '') === '') throw newBadRequest('token is required for TokenReview in authentication');
    return { ...object, status: tokenStatus(object, context) };
  },
});

const invalid = 'invalid bearer token';

/** What was sent of the status stays where nothing is found out. */
function tokenStatus({ spec, status }: TokenReview, context: StrategyContext): TokenReviewStatus {
  const known = context.access?.knownToken(spec.token ?? '', spec.audiences ?? []);
  const { authenticated: _authenticated, ...sent } = status ?? {};
  if (known === undefined || 'error' in known) {
    const error = known?.error ?? invalid;
    if (context.ratcheted('LoneTokenFaults')) return { ...sent, user: sent.user ?? {}, ...(error === '' ? {} : { error }) };
    return { ...sent, user: sent.user ?? {}, error: `[${invalid}, ${error || invalid}]` };
  }
  return { ...sent, authenticated: true, user: namedOnly(userInfo(known.identity)), audiences: known.audiences };
}

/** A webhook may know a token and not whose it is. */
function namedOnly({ username, ...rest }: ReturnType<typeof userInfo>): NonNullable<TokenReviewStatus['user']> {
  return { ...(username === '' ? {} : { username }), ...rest };
}
