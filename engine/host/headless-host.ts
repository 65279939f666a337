/** A host without endpoint and pacing: for runs and replays at full speed. */
import { createHmac, hash } from 'node:crypto';
import type { Cluster } from '../cluster/cluster.ts';
import type { ClusterHost } from '../cluster/cluster-host.ts';
import { settingsResource } from '../cluster/host-kinds.ts';
import { createCertificateReader } from '../serving/certificate-signer.ts';
import { certificateJudge } from '../serving/x509/certificate-judge.ts';
import { loadKeys } from './home.ts';
import { createClusterTokens } from './tokens.ts';
import { readTypes } from './type-files.ts';

export function createHeadlessHost(): ClusterHost {
  const keys = loadKeys();
  const tokens = createClusterTokens(keys, '');
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
    computed: (cluster: Cluster) => [settingsResource(cluster)],
  };
}
