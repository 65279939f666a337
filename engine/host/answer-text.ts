/** Reading what somebody outside answers. */
import type { IncomingMessage } from 'node:http';

/** Its text, whole. Throws, and hangs up, where it is longer than so many bytes. */
export async function readText(response: IncomingMessage, bytesMax: number): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of response as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > bytesMax) {
      response.destroy();
      throw new Error(`the answer is longer than ${bytesMax} bytes`);
    }
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}
