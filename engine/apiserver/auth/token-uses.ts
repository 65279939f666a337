/**
 * Follows the use of tokens of which there is something to say: counts it, and writes on Secrets when their tokens were used last. Mirrors
 * pkg/serviceaccount/{legacy,metrics}.go. The day is virtual; counts are no part of history.
 */
import type { KubeObject } from '../../apimachinery/object.ts';
import type { TokenCount, TokenRemarks } from '../../contracts/tokens.ts';
import type { HttpRequest } from '../http-types.ts';
import type { Identity } from '../../contracts/request.ts';
import { metricFamily } from '../metrics-text.ts';

const lastUsed = 'kubernetes.io/legacy-token-last-used';
const dayMs = 86_400_000;

const helps: { readonly [count in TokenCount]: string } = {
  invalid_legacy_auto_token_uses: 'Cumulative invalid auto-generated legacy tokens used',
  legacy_auto_token_uses: 'Cumulative auto-generated legacy tokens used',
  legacy_manual_token_uses: 'Cumulative manually created legacy tokens used',
  legacy_tokens: 'Cumulative legacy service account tokens used',
  stale_tokens: 'Cumulative stale projected service account tokens used',
  valid_tokens: 'Cumulative valid projected service account tokens used',
};

export interface TokenUsesOptions {
  nowMs(): number;
  secret(namespace: string, name: string): KubeObject | undefined;
  readonly identity: Identity;
  readonly userAgent: string;
  /** Makes a request of the API server's own. */
  send(request: HttpRequest): void;
}

export class TokenUses {
  readonly #options: TokenUsesOptions;
  readonly #counts = new Map<TokenCount, number>();

  constructor(options: TokenUsesOptions) {
    this.#options = options;
  }

  used({ counts = [], secret }: TokenRemarks): void {
    for (const count of counts) this.#counts.set(count, (this.#counts.get(count) ?? 0) + 1);
    if (secret !== undefined) this.#label(secret);
  }

  metrics(): string {
    return (Object.keys(helps) as TokenCount[])
      .map((count) => metricFamily(`serviceaccount_${count}_total`, 'counter', `[ALPHA] ${helps[count]}`, [[{}, this.#counts.get(count) ?? 0]]))
      .join('');
  }

  /** Once a day; a day ahead is another server's. */
  #label({ namespace, name, uid }: NonNullable<TokenRemarks['secret']>): void {
    const { nowMs, secret, identity, userAgent, send } = this.#options;
    const [today, tomorrow] = [0, dayMs].map((aheadMs) => new Date(nowMs() + aheadMs).toISOString().slice(0, 10));
    const known = secret(namespace, name)?.metadata.labels?.[lastUsed];
    if (known !== undefined && (known === today || known === tomorrow)) return;
    const patch = { kind: 'Secret', apiVersion: 'v1', metadata: { name, namespace, uid, labels: { [lastUsed]: today } } };
    send({
      method: 'PATCH',
      path: `/api/v1/namespaces/${namespace}/secrets/${name}`,
      query: '',
      headers: { 'content-type': 'application/merge-patch+json', accept: 'application/json', 'user-agent': userAgent },
      body: new TextEncoder().encode(JSON.stringify(patch)),
      identity,
    });
  }
}
