/** By whom servers of other APIs know that it is the API server who names its users to them. Made once, like the keys of the home. */
import { createAuthority, issueCertificate, type KeyPair } from '../serving/certificates.ts';

export interface FrontProxy {
  readonly authority: KeyPair;
  readonly client: KeyPair;
}

const frontProxyName = 'front-proxy-client';

/** `pair` takes what is there under a name, or makes it. */
export function frontProxyOf(
  pair: (name: string, days: number, make: () => KeyPair, authority?: KeyPair) => KeyPair,
  { renewDays, validDays }: { readonly renewDays: number; readonly validDays: number },
): FrontProxy {
  const authority = pair('front-proxy-ca', 365, () => createAuthority('front-proxy-ca'));
  const issue = (): KeyPair => issueCertificate(authority, { commonName: frontProxyName, usage: 'client', days: validDays });
  return { authority, client: pair('front-proxy-client', renewDays, issue, authority) };
}
