/** What every host lends its cluster of the process that it lives in, and of its keys. */
import { createHmac, hash } from 'node:crypto';
import type { ClusterHost } from '../cluster/cluster-host.ts';
import { createCertificateReader } from '../serving/certificate-signer.ts';
import { certificateJudge } from '../serving/x509/certificate-judge.ts';
import type { Keys } from './home.ts';
import type { ClusterTokens } from './tokens.ts';
import { readTypes } from './type-files.ts';

export function processHost(keys: Keys, tokens: ClusterTokens): ClusterHost {
  return {
    hop: () => new Promise((resolve) => setImmediate(resolve)),
    dry: () => new Promise((resolve) => process.nextTick(resolve)),
    wallMs: () => performance.now(),
    hash: (text) => hash('sha256', text, 'hex'),
    readTypes,
    hmac: (key, text) => createHmac('sha256', key).update(text).digest('base64url'),
    certificates: createCertificateReader(keys.authority),
    certificateJudge,
    rootCaPem: keys.authority.certificatePem,
    ...(keys.frontProxy === undefined ? {} : { frontProxyCaPem: keys.frontProxy.authority.certificatePem }),
    tokenSigner: tokens.signer,
    signSecretToken: tokens.signForSecret,
  };
}
