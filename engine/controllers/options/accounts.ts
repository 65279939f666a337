import { defineOptions, managerFlag, type TokenSecretOptions } from './family.ts';

/** Service accounts and the tokens that Secrets hold, bootstrap tokens too. */
export interface AccountOptions {
  readonly concurrentServiceAccountSyncs: number;
  readonly concurrentServiceAccountTokenSyncs: number;
  /** In base64url; what the host computes. */
  readonly hmacSha256?: (key: string, text: string) => string;
  /** How long tokens in Secrets stay unused before they are marked, and marked before they are deleted. */
  readonly legacyTokenCleanUpMs: number;
  /** Absent where nobody signs. */
  readonly tokenSecrets?: TokenSecretOptions;
}

export const accountOptions = defineOptions<AccountOptions>({
  flags: [
    managerFlag('concurrent-serviceaccount-syncs', 'integer', '1', 'Namespaces whose service accounts are synced at the same time', 1),
    managerFlag(
      'legacy-service-account-token-clean-up-period',
      'duration',
      '8760h0m0s',
      'How long unused tokens in Secrets are kept before they are marked, and then before they are deleted',
    ),
    managerFlag('concurrent-serviceaccount-token-syncs', 'integer', '5', 'Token secrets synced at the same time', 1),
  ],
  read: (source) => ({
    concurrentServiceAccountSyncs: source.number('concurrent-serviceaccount-syncs'),
    concurrentServiceAccountTokenSyncs: source.number('concurrent-serviceaccount-token-syncs'),
    legacyTokenCleanUpMs: source.milliseconds('legacy-service-account-token-clean-up-period'),
    ...(source.host.hmacSha256 && { hmacSha256: source.host.hmacSha256 }),
    ...(source.host.tokenSecrets && { tokenSecrets: source.host.tokenSecrets }),
  }),
});
