/**
 * The older WebSocket form (v4.channel.k8s.io): the ports are named in the query, and the first byte of each message says which
 * channel it belongs to, two for each port: data and error. Mirrors k8s.io/cri-streaming pkg/streaming/portforward/websocket.go.
 */
import { Buffer } from 'node:buffer';
import type { WebSocket } from 'ws';
import { channelMessage, isBase64Protocol, readChannelMessage } from '../channel-message.ts';
import { webSocketTransport } from '../transports.ts';
import { ForwardedPort, type OpenPort, type PodTarget } from './forwarded-port.ts';

export const binaryChannels = 'v4.channel.k8s.io';
export const base64Channels = 'v4.base64.channel.k8s.io';

export function forwardChannels(socket: WebSocket, target: PodTarget, numbers: readonly number[], open: OpenPort): void {
  const isBase64 = isBase64Protocol(socket.protocol);
  const transport = webSocketTransport(socket);
  const send = (channel: number, bytes: Uint8Array): void => transport.write(channelMessage(channel, bytes, isBase64));
  let left = numbers.length;
  const done = (): void => {
    left -= 1;
    if (left === 0) transport.close();
  };
  numbers.forEach((number, index) => {
    const announced = Buffer.alloc(2);
    announced.writeUInt16LE(number);
    send(2 * index, announced);
    send(2 * index + 1, announced);
  });
  const ports = numbers.map(
    (number, index) =>
      new ForwardedPort(target, number, open, {
        write: (bytes) => send(2 * index, bytes),
        end: done,
        fail: (message) => {
          send(2 * index + 1, Buffer.from(message));
          done();
        },
      }),
  );
  socket.on('message', (message: Buffer) => {
    const { channel, data } = readChannelMessage(message, isBase64);
    if (channel % 2 === 0) ports[channel / 2]?.write(data);
  });
  socket.on('error', () => socket.terminate());
  socket.on('close', () => {
    for (const port of ports) port.abort();
  });
}
