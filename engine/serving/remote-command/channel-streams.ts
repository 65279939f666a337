/**
 * The streams of a process as numbered channels of a WebSocket: the first byte (or digit, where it speaks base64) of a message is the
 * channel. Mirrors pkg/util/proxy of k8s.io/apiserver and remotecommand/websocket.go of k8s.io/cri-streaming.
 */
import { Buffer } from 'node:buffer';
import type { WebSocket } from 'ws';
import type { ProcessTarget } from '../../contracts/connect.ts';
import { channelMessage, isBase64Protocol, readChannelMessage } from '../channel-message.ts';
import { webSocketTransport } from '../transports.ts';
import { failureText, type OpenProcess, RemoteProcess, statusText } from './remote-process.ts';

const channels = { stdin: 0, stdout: 1, stderr: 2, error: 3, resize: 4, close: 255 } as const;

/** Newest first. Only v5 can say that there is no more input; before v4 the end is told in words. */
export const channelProtocols = [
  'v5.channel.k8s.io',
  'v4.channel.k8s.io',
  'v4.base64.channel.k8s.io',
  'channel.k8s.io',
  'base64.channel.k8s.io',
] as const;

/** The API server itself speaks with such clients; others are handed on to the kubelet, which may refuse them before the upgrade. */
export function isTranslatedProtocol(protocol: string): boolean {
  return protocol.startsWith('v5');
}

export function streamOverChannels(socket: WebSocket, target: ProcessTarget, open: OpenProcess): void {
  const { protocol } = socket;
  const isBase64 = isBase64Protocol(protocol);
  const joined: { process?: RemoteProcess } = {};
  // It may have much to say before it is known here, and is told in a turn of its own.
  const transport = webSocketTransport(socket, (isHeld) => void setImmediate(() => joined.process?.hold(isHeld)));
  const send = (channel: number, bytes: Uint8Array): void => transport.write(channelMessage(channel, bytes, isBase64));
  // Clients wait for a first message.
  send(target.stdout ? channels.stdout : target.stderr ? channels.stderr : channels.error, new Uint8Array(0));
  const opened = new RemoteProcess(target, open, {
    write: (stream, data) => send(channels[stream], data),
    end: (end) => {
      const isAttach = target.command === null;
      const isTranslated = isTranslatedProtocol(protocol);
      const isNew = isTranslated || protocol.startsWith('v4');
      const text = isNew ? statusText(end, isAttach, isTranslated) : failureText(end, isAttach, isTranslated);
      if (text !== undefined) send(channels.error, Buffer.from(text));
      transport.close();
    },
  });
  joined.process = opened;
  socket.on('message', (message: Buffer) => {
    const { channel, data } = readChannelMessage(message, isBase64);
    if (channel === channels.stdin) opened.write(data);
    else if (channel === channels.resize) opened.resize(data);
    else if (channel === channels.close && protocol.startsWith('v5') && data[0] === channels.stdin) opened.endInput();
  });
  socket.on('error', () => socket.terminate());
  socket.on('close', () => opened.abort());
}
