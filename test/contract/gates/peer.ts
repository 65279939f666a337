/** A real API server, for the recorders of gates. */
import { Agent, request } from 'node:https';
import { readPeerKubeconfig, trustOf } from '../../support/peer-kubeconfig.ts';
import type { Asked } from './cases.ts';

/** Asks the server that a peer's kubeconfig leads to. */
export function peerAsker(kubeconfig: string): Asked {
  const reached = readPeerKubeconfig(kubeconfig);
  const agent = new Agent(trustOf(reached));
  return ({ method, path, body, type = 'application/json', headers = {} }) => {
    const text = body === undefined ? '' : JSON.stringify(body);
    const sent = {
      authorization: `Bearer ${reached.token}`,
      accept: 'application/json',
      'content-type': type,
      'content-length': Buffer.byteLength(text),
    };
    return new Promise((resolve, reject) => {
      const call = request(reached.server + path, { method, agent, headers: { ...sent, ...headers } }, (response) => {
        const pieces: Buffer[] = [];
        const { warning } = response.headers as { readonly warning?: string };
        const warnings = response.rawHeaders.flatMap((name, i, all) => (name === 'Warning' ? [all[i + 1] ?? ''] : []));
        response.on('data', (piece: Buffer) => pieces.push(piece));
        response.on('end', () =>
          resolve({ code: response.statusCode ?? 0, warnings: warning === undefined ? [] : warnings, text: Buffer.concat(pieces).toString() }),
        );
      });
      call.on('error', reject);
      call.end(text);
    });
  };
}
