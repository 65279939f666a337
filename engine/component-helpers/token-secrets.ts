/** Secrets that hold a service account's token. Mirrors apiserver pkg/authentication/serviceaccount/util.go (IsServiceAccountToken). */
import type { Secret, ServiceAccount } from '../api/core/v1/types.gen.ts';

export const tokenSecretType = 'kubernetes.io/service-account-token';
export const accountNameAnnotation = 'kubernetes.io/service-account.name';
export const accountUidAnnotation = 'kubernetes.io/service-account.uid';
/** On a service account: its pods may name no other Secrets than it does. */
export const mountableSecretsAnnotation = 'kubernetes.io/enforce-mountable-secrets';

/** Whether the Secret holds a token of just this account, not of an earlier one of its name. */
export function isTokenOf({ type, metadata }: Secret, account: Pick<ServiceAccount, 'metadata'>): boolean {
  const { annotations, namespace } = metadata;
  return (
    type === tokenSecretType &&
    namespace === account.metadata.namespace &&
    annotations?.[accountNameAnnotation] === account.metadata.name &&
    annotations?.[accountUidAnnotation] === account.metadata.uid
  );
}
