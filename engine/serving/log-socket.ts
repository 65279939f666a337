/**
 * A container's log for a client that asks for it over a WebSocket: the bytes of the answer as messages, binary ones or in base64. Mirrors
 * Reader of apiserver pkg/util/wsstream.
 */
import { Buffer } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import type { Chunk, ServedResponse } from './exchange.ts';
import { messageBytesMax } from './transports.ts';

const base64Protocol = 'base64.binary.k8s.io';
const protocols: readonly string[] = ['binary.k8s.io', base64Protocol];
/** A client that takes less than is said is let go. */
const waitingBytesMax = 16 * 1024 * 1024;

const acceptor = new WebSocketServer({
  noServer: true,
  perMessageDeflate: false,
  maxPayload: messageBytesMax,
  handleProtocols: (offered) => protocols.find((name) => offered.has(name)) ?? false,
});

export type LogResponse = ServedResponse;

/** Whether a request wants the answer that it got as messages. */
export function wantsLogMessages(
  path: string,
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  { status }: Pick<LogResponse, 'status'>,
): boolean {
  return status === 200 && String(headers.upgrade ?? '').toLowerCase() === 'websocket' && /\/pods\/[^/]+\/log$/.test(path);
}

export function sendLogMessages(raw: IncomingMessage, socket: Duplex, head: Buffer, response: LogResponse): void {
  acceptor.handleUpgrade(raw, socket, head, (webSocket) => {
    const inBase64 = webSocket.protocol === base64Protocol;
    const send = (chunk: Chunk): void => {
      const bytes = Buffer.from(chunk as string);
      if (webSocket.bufferedAmount + bytes.length > waitingBytesMax) webSocket.terminate();
      else if (bytes.length > 0) webSocket.send(inBase64 ? bytes.toString('base64') : bytes, { binary: !inBase64 });
    };
    const end = (): void => webSocket.close(1000);
    webSocket.on('error', () => webSocket.terminate());
    if ('open' in response) {
      const close = response.open({ write: (chunk) => send(typeof chunk === 'function' ? chunk() : chunk), end });
      webSocket.on('close', close);
      return;
    }
    const { body } = response;
    for (const chunk of typeof body === 'string' || body instanceof Uint8Array ? [body] : body) send(chunk);
    end();
  });
}
