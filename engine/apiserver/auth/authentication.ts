/** What an API server is told about who may speak to it, besides certificates and the tokens that it knows of itself. */
import type { PeerSubject } from '../../contracts/credentials.ts';
import type { Identity } from '../../contracts/request.ts';
import type { Authenticated } from '../../contracts/tokens.ts';
import type { HttpRequest } from '../http-types.ts';
import { percentDecoded } from '../../base/text.ts';
import { headerTexts } from './header-text.ts';

/** Whether nobody in particular may ask. */
export interface AnonymousPolicy {
  readonly isEnabled: boolean;
  /** Only about these paths; absent: about all. */
  readonly paths?: readonly string[];
}

/** A proxy that says in headers for whom it asks. Names of headers in lower case. */
export interface RequestHeaderTrust {
  /** SHA-256 of the authorities that the proxy's certificate stands below, as hex. */
  readonly roots: ReadonlySet<string>;
  /** Those of them that sign certificates of clients too. */
  readonly clientRoots?: ReadonlySet<string>;
  /** Common names that it may have; none: any. */
  readonly allowedNames: readonly string[];
  readonly userHeaders: readonly string[];
  readonly uidHeaders: readonly string[];
  readonly groupHeaders: readonly string[];
  readonly extraPrefixes: readonly string[];
}

export const anonymousEverywhere: AnonymousPolicy = { isEnabled: true };

export function mayBeAnonymous({ isEnabled, paths }: AnonymousPolicy, path: string): boolean {
  return isEnabled && (paths === undefined || paths.includes(path));
}

/**
 * Whom a proxy speaks for; undefined where it speaks for nobody, an error for a certificate that is no proxy's. Mirrors apiserver
 * pkg/authentication/request/headerrequest.
 */
export function identifyByHeaders(
  peer: PeerSubject | undefined,
  headers: HttpRequest['headers'],
  trust: RequestHeaderTrust | undefined,
): Authenticated<Identity> {
  if (trust === undefined || peer === undefined) return undefined;
  if ('problem' in peer || !trust.roots.has(peer.authority ?? '')) return { error: 'x509: certificate signed by unknown authority' };
  if (trust.allowedNames.length > 0 && !trust.allowedNames.includes(peer.commonName))
    return { error: `x509: subject with cn=${peer.commonName} is not in the allowed list` };
  const first = (names: readonly string[]): string | undefined =>
    names.map((name) => headerTexts(headers[name])[0] ?? '').find((value) => value !== '');
  const name = first(trust.userHeaders);
  if (name === undefined) return undefined;
  const uid = first(trust.uidHeaders);
  const groups = trust.groupHeaders.flatMap((header) => headerTexts(headers[header])).filter((group) => group !== '');
  const extra = extraOf(headers, trust.extraPrefixes);
  const identity: Identity = { name, groups, ...(uid === undefined ? {} : { uid }), ...(Object.keys(extra).length === 0 ? {} : { extra }) };
  return { identity, audiences: [] };
}

function extraOf(headers: HttpRequest['headers'], prefixes: readonly string[]): Readonly<Record<string, readonly string[]>> {
  const extra = new Map<string, readonly string[]>();
  for (const prefix of prefixes)
    for (const header of Object.keys(headers).sort()) {
      if (!header.startsWith(prefix)) continue;
      const key = percentDecoded(header.slice(prefix.length));
      extra.set(key, [...(extra.get(key) ?? []), ...headerTexts(headers[header])]);
    }
  return Object.fromEntries(extra);
}
