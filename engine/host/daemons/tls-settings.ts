/** TLS versions and cipher suites under Go's names. */
import { constants } from 'node:crypto';
import { getCiphers } from 'node:tls';
import type { SecureVersion } from 'node:tls';
import { getOwn } from '../../base/dictionary.ts';
import { badUsage, type FlagValues } from './flag-set.ts';

const versions: Readonly<Record<string, SecureVersion>> = {
  VersionTLS10: 'TLSv1',
  VersionTLS11: 'TLSv1.1',
  VersionTLS12: 'TLSv1.2',
  VersionTLS13: 'TLSv1.3',
};

/** Names of suites before TLS 1.3 as Go and as OpenSSL write them. Those of TLS 1.3 are the same in both. */
const suites: Readonly<Record<string, string>> = {
  TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA: 'ECDHE-ECDSA-AES128-SHA',
  TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256: 'ECDHE-ECDSA-AES128-SHA256',
  TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256: 'ECDHE-ECDSA-AES128-GCM-SHA256',
  TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA: 'ECDHE-ECDSA-AES256-SHA',
  TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384: 'ECDHE-ECDSA-AES256-GCM-SHA384',
  TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305: 'ECDHE-ECDSA-CHACHA20-POLY1305',
  TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256: 'ECDHE-ECDSA-CHACHA20-POLY1305',
  TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA: 'ECDHE-RSA-AES128-SHA',
  TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256: 'ECDHE-RSA-AES128-SHA256',
  TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256: 'ECDHE-RSA-AES128-GCM-SHA256',
  TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA: 'ECDHE-RSA-AES256-SHA',
  TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384: 'ECDHE-RSA-AES256-GCM-SHA384',
  TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305: 'ECDHE-RSA-CHACHA20-POLY1305',
  TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256: 'ECDHE-RSA-CHACHA20-POLY1305',
  TLS_RSA_WITH_AES_128_CBC_SHA: 'AES128-SHA',
  TLS_RSA_WITH_AES_128_CBC_SHA256: 'AES128-SHA256',
  TLS_RSA_WITH_AES_128_GCM_SHA256: 'AES128-GCM-SHA256',
  TLS_RSA_WITH_AES_256_CBC_SHA: 'AES256-SHA',
  TLS_RSA_WITH_AES_256_GCM_SHA384: 'AES256-GCM-SHA384',
};

export interface TlsSettings {
  readonly minVersion?: SecureVersion;
  readonly ciphers?: string;
}

/** Throws a CommandError for names that Go does not know. */
export function tlsSettings(flags: FlagValues): TlsSettings {
  const version = flags.text('tls-min-version');
  const minVersion = getOwn(versions, version);
  if (version !== '' && minVersion === undefined) throw badUsage(`unknown tls version ${JSON.stringify(version)}`);
  const names = flags.list('tls-cipher-suites').map(opensslName);
  // OpenSSL takes the two old versions only below its own level of security.
  const isOld = minVersion === 'TLSv1' || minVersion === 'TLSv1.1';
  const ciphers = [...(names.length > 0 ? names : isOld ? [constants.defaultCoreCipherList] : []), ...(isOld ? ['@SECLEVEL=0'] : [])].join(':');
  return { ...(minVersion === undefined ? {} : { minVersion }), ...(ciphers === '' ? {} : { ciphers }) };
}

function opensslName(name: string): string {
  const known = getOwn(suites, name);
  if (known !== undefined) return known;
  if (getCiphers().includes(name.toLowerCase()) && name.startsWith('TLS_')) return name;
  throw badUsage(`Cipher suite ${name} not supported or doesn't exist`);
}
