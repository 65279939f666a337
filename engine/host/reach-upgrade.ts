/**
 * Connections that are upgraded by a server of another API (websockets, SPDY): once it has agreed, bytes go both ways and are looked at no
 * more. Nothing of them enters history. Mirrors apimachinery pkg/util/proxy/upgradeaware.go.
 */
import { type IncomingMessage, STATUS_CODES } from 'node:http';
import { request } from 'node:https';
import { type Duplex, pipeline } from 'node:stream';
import type { AggregatedCall } from '../apiserver/aggregation/backend.ts';
import type { KeyPair } from '../serving/certificates.ts';
import { answerSocket } from '../serving/socket-answer.ts';
import { inGo } from './go-errors.ts';
import { requestOptions } from './reach-aggregated.ts';

/** Who agrees later than this is not waited for. */
const agreementMs = 30_000;

/** Joins `socket`, on which a client waits for its upgrade, to the server. `head` is what the client has sent already. */
export function joinAggregated(call: AggregatedCall, client: KeyPair | undefined, socket: Duplex, head: Buffer): void {
  const sent = request({ ...requestOptions(call, client), agent: false });
  const late = setTimeout(() => sent.destroy(new Error('i/o timeout')), agreementMs);
  late.unref();
  const gone = (): void => void sent.destroy();
  socket.once('close', gone);
  sent.on('upgrade', (response, server, early) => {
    clearTimeout(late);
    socket.off('close', gone);
    socket.write(headOf(response));
    if (early.length > 0) socket.write(early);
    if (head.length > 0) server.write(head);
    join(socket, server);
  });
  // It says why not, or answers as if nothing had been asked.
  sent.on('response', (response) => {
    clearTimeout(late);
    socket.write(headOf(response, { connection: 'close' }));
    // What breaks off on one side ends the other.
    pipeline(response, socket, () => undefined);
  });
  sent.on('error', (error) => {
    clearTimeout(late);
    if (!socket.destroyed) answerSocket(socket, { status: 503, headers: plainText, body: `${inGo(error, call.host, call.port)}\n` });
  });
  sent.end();
}

const plainText = { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' };

/** Each waits for the other to take what it sends; the end of one is that of both. */
function join(one: Duplex, other: Duplex): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.pipe(to);
    from.once('error', () => to.destroy());
    from.once('close', () => to.destroy());
  }
}

/** As it came, but for what concerned the connection, where that is no more. */
function headOf(response: IncomingMessage, instead: { readonly connection?: string } = {}): string {
  const { statusCode = 0, statusMessage, rawHeaders } = response;
  const lines = rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [[name, rawHeaders[at + 1] ?? ''] as const] : []));
  const kept = instead.connection === undefined ? lines : lines.filter(([name]) => !/^(connection|keep-alive|transfer-encoding)$/i.test(name));
  const all = [...kept, ...Object.entries(instead)];
  return `HTTP/1.1 ${statusCode} ${statusMessage ?? STATUS_CODES[statusCode] ?? ''}\r\n${all.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
}
