/** Records what a real 1.13.12 answers in protobuf: `node build/with-node.mjs test/contract/old-release/record-binary.ts`. Asked twice; what varies is left out. */
import { readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { parse } from 'yaml';
import { kinds } from '../../../engine/kinds/index.gen.ts';
import { formatGroupVersion } from '../../../engine/apimachinery/object.ts';
import { defaultBin, startPeer } from '../../differential/peer.ts';
import { type BinaryCase, binaryCases, options, protobuf, undrawn } from './binary.ts';

const peer = startPeer(defaultBin, 21900, { release: '1.13', options });
const config = parse(readFileSync(peer.kubeconfig, 'utf8')) as {
  readonly clusters: readonly { readonly cluster: { readonly server: string } }[];
  readonly users: readonly { readonly user: { readonly token: string } }[];
};

function ask({
  path,
  body,
}: Pick<BinaryCase, 'path'> & { readonly body: object | Uint8Array }): Promise<{ readonly code: number; readonly bytes: Uint8Array }> {
  return new Promise((resolve, reject) => {
    const isSent = body instanceof Uint8Array;
    const type = isSent ? protobuf : 'application/json';
    const headers = { accept: protobuf, 'content-type': type, authorization: `Bearer ${config.users[0]?.user.token ?? ''}` };
    const server = config.clusters[0]?.cluster.server ?? '';
    const sent = request(server + path, { method: 'POST', rejectUnauthorized: false, headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => resolve({ code: answer.statusCode ?? 0, bytes: Buffer.concat(chunks) }));
    });
    sent.on('error', reject);
    sent.end(isSent ? body : JSON.stringify(body));
  });
}

try {
  const all = new Set(kinds.map((kind) => `${formatGroupVersion(kind)} ${kind.plural}`));
  const lines: string[] = [];
  for (const given of binaryCases(all)) {
    const [first, second] = [await ask(given), await ask(given)];
    const isSteady = undrawn(first.bytes) === undrawn(second.bytes);
    if (first.code !== 201 || !isSteady) continue;
    const { code } = await ask({ path: given.path, body: first.bytes });
    lines.push(JSON.stringify({ id: given.id, again: code, bytes: Buffer.from(first.bytes).toString('base64') }));
  }
  writeFileSync(join(import.meta.dirname, 'binary.jsonl.gz'), gzipSync(`${lines.join('\n')}\n`, { level: 9 }));
  console.log(`${lines.length} kept`);
} finally {
  peer.stop();
}
