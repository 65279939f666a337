/** An HTTP answer written on a socket that asked for an upgrade and does not get it. */
import { Buffer } from 'node:buffer';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { PlainResponse } from './exchange.ts';

export function answerSocket(socket: Duplex, { status, headers, body }: PlainResponse): void {
  const text = Buffer.concat((typeof body === 'string' || body instanceof Uint8Array ? [body] : [...body]).map((chunk) => Buffer.from(chunk)));
  const lines = Object.entries({ ...headers, 'content-length': String(text.length), connection: 'close' });
  const head = lines.flatMap(([name, value]) => (typeof value === 'string' ? [value] : value).map((one) => `${name}: ${one}\r\n`)).join('');
  socket.end(Buffer.concat([Buffer.from(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${head}\r\n`), text]));
}
