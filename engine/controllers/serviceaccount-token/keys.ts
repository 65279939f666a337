/** Keys of what is synced: they say what a deleted object was, since nobody can look it up any more. */
import type { Secret, ServiceAccount } from '../../api/core/v1/types.gen.ts';
import { accountNameAnnotation, accountUidAnnotation } from '../../component-helpers/token-secrets.ts';

export interface AccountKey {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/** `accountUid` is empty while the Secret is not filled yet. */
export interface SecretKey extends AccountKey {
  readonly accountName: string;
  readonly accountUid: string;
}

export function accountKey({ metadata: { namespace = '', name = '', uid = '' } }: ServiceAccount): string {
  return join('account', namespace, name, uid);
}

export function secretKey({ metadata: { namespace = '', name = '', uid = '', annotations } }: Secret): string {
  return join('secret', namespace, name, uid, annotations?.[accountNameAnnotation] ?? '', annotations?.[accountUidAnnotation] ?? '');
}

export function parseKey(text: string): AccountKey | SecretKey {
  const [kind, namespace = '', name = '', uid = '', accountName = '', accountUid = ''] = text.split('/').map(decodeURIComponent);
  const key = { namespace, name, uid };
  return kind === 'account' ? key : { ...key, accountName, accountUid };
}

/** Annotations hold whatever a user wrote, slashes too. */
function join(...parts: readonly string[]): string {
  return parts.map((part) => encodeURIComponent(part.toWellFormed())).join('/');
}
