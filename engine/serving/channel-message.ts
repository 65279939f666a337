/**
 * Messages of a WebSocket that carries numbered channels: the first byte is the channel, or the first digit where the rest is base64.
 * Which of the two it is goes by the protocol that was agreed on and never by the type of the frame: clients send bytes as text frames
 * too (Python's does). Mirrors apimachinery pkg/util/httpstream/wsstream.
 */
import { Buffer } from 'node:buffer';

const zeroDigit = 0x30;

export interface ChannelMessage {
  readonly channel: number;
  readonly data: Buffer;
}

export function isBase64Protocol(protocol: string): boolean {
  return protocol.includes('base64');
}

export function readChannelMessage(message: Buffer, isBase64: boolean): ChannelMessage {
  const first = message[0] ?? 0;
  return isBase64
    ? { channel: first - zeroDigit, data: Buffer.from(message.toString('latin1', 1), 'base64') }
    : { channel: first, data: message.subarray(1) };
}

/** Base64 makes it a text. */
export function channelMessage(channel: number, bytes: Uint8Array, isBase64: boolean): string | Buffer {
  return isBase64 ? `${channel}${Buffer.from(bytes).toString('base64')}` : Buffer.concat([Buffer.from([channel]), bytes]);
}
