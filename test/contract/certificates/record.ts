/**
 * Records what a real API server answers to requests for certificates, trust bundles and authorities of conversion webhooks, most of them bad.
 * The server has the gate ClusterTrustBundle and `--runtime-config=certificates.k8s.io/v1beta1=true`. Keys are made by openssl and thrown away:
 *   SERVER=https://127.0.0.1:PORT TOKEN=… NODE_TLS_REJECT_UNAUTHORIZED=0 node build/with-node.mjs test/contract/certificates/record.ts
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Call, Fact, Question } from './facts.ts';

const { SERVER = '', TOKEN = '' } = process.env;
const folder = mkdtempSync(join(tmpdir(), 'certificates-'));

function openssl(...args: string[]): Buffer {
  return execFileSync('openssl', args, { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] });
}

function request(key: string[], ...more: string[]): Buffer {
  openssl('req', '-new', '-nodes', ...key, '-subj', '/O=system:nodes/CN=system:node:a', '-keyout', 'key', '-out', 'out', ...more);
  return openssl('req', '-in', 'out', '-outform', 'DER');
}

function certificate(...more: string[]): string {
  openssl(
    'req',
    '-x509',
    '-new',
    '-nodes',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-subj',
    '/CN=ca',
    '-keyout',
    'key',
    '-out',
    'out',
    ...more,
  );
  return readFileSync(join(folder, 'out'), 'utf8');
}

function pem(der: Buffer, type = 'CERTIFICATE REQUEST'): string {
  const lines = der.toString('base64').replaceAll(/.{64}/g, '$&\n').trimEnd();
  return `-----BEGIN ${type}-----\n${lines === '' ? '' : `${lines}\n`}-----END ${type}-----\n`;
}

const ec = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256'];
const names = ['-addext', 'subjectAltName=DNS:a,IP:10.0.0.1,email:a@b.c,URI:spiffe://a/b'];
const good: Readonly<Record<string, Buffer>> = {
  p256: request(ec, ...names),
  p384: request(['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-384', '-sha384']),
  p521: request(['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-521', '-sha512']),
  p224: request(['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:secp224r1']),
  k256: request(['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:secp256k1']),
  explicit: request([...ec, '-pkeyopt', 'ec_param_enc:explicit']),
  rsa: request(['-newkey', 'rsa:2048'], ...names),
  rsa512: request(['-newkey', 'rsa:512']),
  rsaMd5: request(['-newkey', 'rsa:1024', '-md5']),
  rsaSha1: request(['-newkey', 'rsa:1024', '-sha1']),
  pss: request(['-newkey', 'rsa:1024', '-sha256', '-sigopt', 'rsa_padding_mode:pss', '-sigopt', 'rsa_pss_saltlen:32']),
  pssSalt: request(['-newkey', 'rsa:1024', '-sha256', '-sigopt', 'rsa_padding_mode:pss', '-sigopt', 'rsa_pss_saltlen:20']),
  ed25519: request(['-newkey', 'ed25519']),
  ed448: request(['-newkey', 'ed448']),
  badUri: request(ec, '-addext', 'subjectAltName=URI:http://a..b/c'),
  badPort: request(ec, '-addext', 'subjectAltName=URI:http://a.b:80/c'),
};

const requests: [name: string, text: string][] = [
  ['nothing', ''],
  ['no PEM', 'hello'],
  ['cut', pem(good['p256'] as Buffer).slice(0, 200)],
  ['other type', pem(good['p256'] as Buffer, 'NEW CERTIFICATE REQUEST')],
  ['certificate', certificate()],
  ['empty', pem(Buffer.alloc(0))],
  ['empty in one line', '-----BEGIN CERTIFICATE REQUEST----------END CERTIFICATE REQUEST-----'],
  ['header', pem(good['p256'] as Buffer).replace('\n', '\nProc-Type: 4\n\n')],
  ['header without line', pem(good['p256'] as Buffer).replace('\n', '\nProc-Type: 4\n')],
  ['text before', `hello\n${pem(good['p256'] as Buffer)}`],
  ['text before on the line', `hello ${pem(good['p256'] as Buffer)}`],
  ['text after', `${pem(good['p256'] as Buffer)}hello`],
  ['text after on the line', pem(good['p256'] as Buffer).replace(/\n$/, ' x\n')],
  ['blanks after', pem(good['p256'] as Buffer).replace(/\n$/, ' \t\n')],
  ['two begins', `-----BEGIN CERTIFICATE REQUEST-----\n${pem(good['p256'] as Buffer)}`],
  ['other end', pem(good['p256'] as Buffer).replace('END CERTIFICATE', 'END  CERTIFICATE')],
  ['no base64', pem(good['p256'] as Buffer).replace('MII', 'M*I')],
  ['bad one first', `${pem(good['p256'] as Buffer).replace('MII', 'M*I')}${pem(good['rsa'] as Buffer)}`],
  ['carriage returns', pem(good['p256'] as Buffer).replaceAll('\n', '\r\n')],
  ['trailing data', pem(Buffer.concat([good['p256'] as Buffer, Buffer.from([1])]))],
  ...Object.entries(good).map(([name, der]): [string, string] => [name, pem(der)]),
];
// Every byte of the heads and some of the rest, changed in three ways.
for (const [name, step] of [
  ['p256', 1],
  ['rsa', 17],
  ['ed25519', 5],
] as const) {
  const der = good[name] as Buffer;
  for (let at = 0; at < der.length; at += step)
    for (const [what, change] of [
      ['up', 1],
      ['down', -1],
      ['high', 128],
    ] as const) {
      if (name === 'p256' && at > 40 && at % 3 !== (change + 3) % 3) continue;
      const bad = Buffer.from(der);
      bad[at] = ((der[at] ?? 0) + change) & 255;
      requests.push([`${name} ${at} ${what}`, pem(bad)]);
    }
  for (const length of [1, 2, 5, 20, 60, der.length - 1]) requests.push([`${name} cut at ${length}`, pem(der.subarray(0, length))]);
}

const ca = certificate();
const other = certificate();
const plain = certificate('-addext', 'basicConstraints=critical,CA:FALSE');
const without = certificate('-addext', 'keyUsage=digitalSignature');
const body = (text: string): Buffer => Buffer.from(text.replaceAll(/-----.*-----|\s/g, ''), 'base64');
const bundles: [name: string, text: string][] = [
  ['nothing', ''],
  ['text', 'hello'],
  ['one', ca],
  ['two', ca + other],
  ['twice', ca + ca],
  ['twice of two', ca + other + ca + other + ca],
  ['key', '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n'],
  ['key and certificate', `-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n${ca}`],
  ['header', ca.replace('\n', '\nA: b\n\n')],
  ['none in it', pem(Buffer.from('hello'), 'CERTIFICATE')],
  ['empty', pem(Buffer.alloc(0), 'CERTIFICATE')],
  ['no authority', plain],
  ['no authority and twice', plain + ca + ca],
  ['without usage', without],
  ['text between', `a\n${ca}b\n${other}c`],
  ['trailing', pem(Buffer.concat([body(ca), Buffer.from([5, 0])]), 'CERTIFICATE')],
  ['request', pem(good['p256'] as Buffer)],
  ['Ünicode', `Ünicode\n${ca}`],
  ['long', `${'a'.repeat(1024 * 1024)}\n`],
];

const csr = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const bundlesPath = '/apis/certificates.k8s.io/v1beta1/clustertrustbundles';
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const csrOf = (text: string, name = 'x'): object => ({
  apiVersion: 'certificates.k8s.io/v1',
  kind: 'CertificateSigningRequest',
  metadata: { name },
  spec: { request: base64(text), signerName: 'example.com/s', usages: ['client auth'] },
});
const bundleOf = (text: string, name = 'x', signerName?: string): object => ({
  apiVersion: 'certificates.k8s.io/v1beta1',
  kind: 'ClusterTrustBundle',
  metadata: { name },
  spec: { trustBundle: text, ...(signerName === undefined ? {} : { signerName }) },
});
const definitionOf = (text: string | undefined): object => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'things.facts.example.com' },
  spec: {
    group: 'facts.example.com',
    scope: 'Namespaced',
    names: { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
    ...(text === undefined
      ? {}
      : {
          conversion: {
            strategy: 'Webhook',
            webhook: { conversionReviewVersions: ['v1'], clientConfig: { service: { namespace: 'a', name: 'b' }, caBundle: base64(text) } },
          },
        }),
  },
});

const questions: Question[] = [
  ...requests.map(([name, text]): Question => ({ name: `request: ${name}`, method: 'POST', path: csr, body: csrOf(text) })),
  ...bundles.map(([name, text]): Question => ({ name: `bundle: ${name}`, method: 'POST', path: bundlesPath, body: bundleOf(text) })),
  ...(
    [
      ['a:b', undefined],
      ['A', undefined],
      ['x', 'example.com/s'],
      ['example.com:s:x', 'example.com/s'],
      ['example.com:s:X', 'example.com/s'],
      ['example.com:s:', 'example.com/s'],
      ['x:y', 'x/y'],
      ['x', 'x'],
    ] as const
  ).map(
    ([name, signer]): Question => ({
      name: `bundle ${name} of ${String(signer)}`,
      method: 'POST',
      path: bundlesPath,
      body: bundleOf(ca, name, signer),
    }),
  ),
  ...bundles
    .filter(([name]) => name !== 'long')
    .map(
      ([name, text]): Question => ({
        name: `status: ${name}`,
        before: [{ method: 'POST', path: csr, body: csrOf(pem(good['p256'] as Buffer)) }],
        method: 'PATCH',
        type: 'application/merge-patch+json',
        path: `${csr}/x/status`,
        body: { status: { certificate: base64(text) } },
      }),
    ),
  ...bundles
    .filter(([name]) => name !== 'long')
    .map(
      ([name, text]): Question => ({
        name: `definition: ${name}`,
        before: [{ method: 'POST', path: definitions, body: definitionOf(undefined) }],
        method: 'PATCH',
        type: 'application/merge-patch+json',
        path: `${definitions}/things.facts.example.com`,
        body: definitionOf(text),
      }),
    ),
  { name: 'definition that begins so', method: 'POST', path: definitions, body: definitionOf('hello') },
];

async function send({ method, path, body: sent, type = 'application/json' }: Call, query = ''): Promise<{ code: number; message?: string }> {
  const init = { method, headers: { authorization: `Bearer ${TOKEN}`, 'content-type': type } };
  const answer = await fetch(SERVER + path + query, sent === undefined ? init : { ...init, body: JSON.stringify(sent) });
  const { message } = (await answer.json()) as { message?: string };
  return answer.status < 400 || message === undefined ? { code: answer.status } : { code: answer.status, message };
}

async function gone(path: string): Promise<void> {
  await send({ method: 'DELETE', path });
  while ((await send({ method: 'GET', path })).code !== 404) await new Promise((done) => setTimeout(done, 50));
}

const recorded: Fact[] = [];
for (const question of questions) {
  for (const call of question.before ?? []) await send(call);
  if (question.name.startsWith('definition:')) await new Promise((done) => setTimeout(done, 500));
  recorded.push({ ...question, ...(await send(question, '?dryRun=All')) });
  for (const { path, body: made } of question.before ?? []) await gone(`${path}/${(made as { metadata: { name: string } }).metadata.name}`);
}
writeFileSync(new URL('facts.json.gz', import.meta.url), gzipSync(JSON.stringify(recorded), { level: 9 }));
rmSync(folder, { recursive: true });
