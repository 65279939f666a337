/**
 * The older WebSocket form (v4.channel.k8s.io): the ports are named in the query, and the first byte of each message says which
 * channel it belongs to, two for each port: data and error. Mirrors k8s.io/cri-streaming pkg/streaming/portforward/websocket.go.
 */
import { Buffer } from 'node:buffer';
import type { WebSocket } from 'ws';
import { ForwardedPort, type OpenPort, type PodTarget } from './forwarded-port.ts';

export const binaryChannels = 'v4.channel.k8s.io';
export const base64Channels = 'v4.base64.channel.k8s.io';

export function forwardChannels(socket: WebSocket, target: PodTarget, numbers: readonly number[], open: OpenPort): void {
  const send = socket.protocol === base64Channels ? sendBase64 : sendBinary;
  let left = numbers.length;
  const done = (): void => {
    left -= 1;
    if (left === 0) socket.close(1000);
  };
  numbers.forEach((number, index) => {
    const announced = Buffer.alloc(2);
    announced.writeUInt16LE(number);
    send(socket, 2 * index, announced);
    send(socket, 2 * index + 1, announced);
  });
  const ports = numbers.map(
    (number, index) =>
      new ForwardedPort(target, number, open, {
        write: (bytes) => send(socket, 2 * index, bytes),
        end: done,
        fail: (message) => {
          send(socket, 2 * index + 1, Buffer.from(message));
          done();
        },
      }),
  );
  socket.on('message', (message: Buffer, isBinary) => {
    const channel = isBinary ? (message[0] ?? 0) : (message[0] ?? 0) - zeroDigit;
    const data = isBinary ? message.subarray(1) : Buffer.from(message.toString('latin1', 1), 'base64');
    if (channel % 2 === 0) ports[channel / 2]?.write(data);
  });
  socket.on('error', () => socket.terminate());
  socket.on('close', () => {
    for (const port of ports) port.abort();
  });
}

const zeroDigit = 0x30;

function sendBinary(socket: WebSocket, channel: number, bytes: Uint8Array): void {
  if (socket.readyState === socket.OPEN) socket.send(Buffer.concat([Buffer.from([channel]), bytes]));
}

function sendBase64(socket: WebSocket, channel: number, bytes: Uint8Array): void {
  if (socket.readyState === socket.OPEN) socket.send(`${channel}${Buffer.from(bytes).toString('base64')}`);
}
