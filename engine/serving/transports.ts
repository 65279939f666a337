/**
 * Sockets of upgraded requests as SPDY's transports. A client who does not read what it asked for is not heard meanwhile, so it asks for
 * no more: what it sends stays in its own socket.
 */
import type { Buffer } from 'node:buffer';
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { Backlog } from './backlog.ts';
import type { SpdyTransport } from './portforward/spdy-connection.ts';

/** Of one message of a WebSocket of a client, in however many pieces it comes; upstream's library takes as many. */
export const messageBytesMax = 32 * 1024 * 1024;

/** `hold`: who writes is held instead, and the client is heard. */
export function socketTransport(socket: Duplex, hold?: (isHeld: boolean) => void): SpdyTransport {
  const backlog = new Backlog({
    onHeld: hold ?? ((isHeld) => void (isHeld ? socket.pause() : socket.resume())),
    onTooLong: () => socket.destroy(),
  });
  return {
    write: (bytes, left) => {
      if (socket.destroyed || !socket.writable) return left?.();
      backlog.add(bytes.length);
      socket.write(bytes, () => {
        backlog.remove(bytes.length);
        left?.();
      });
    },
    close: () => socket.end(),
  };
}

/** Texts are messages of text. */
export interface MessageTransport extends SpdyTransport {
  write(bytes: Buffer | string, left?: () => void): void;
}

export function webSocketTransport(socket: WebSocket, hold?: (isHeld: boolean) => void): MessageTransport {
  const deafen = (isHeld: boolean): void => (isHeld ? socket.pause() : socket.resume());
  const backlog = new Backlog({ onHeld: hold ?? deafen, onTooLong: () => socket.terminate() });
  return {
    write: (bytes, left) => {
      if (socket.readyState !== socket.OPEN) return left?.();
      backlog.add(bytes.length);
      socket.send(bytes, () => {
        backlog.remove(bytes.length);
        left?.();
      });
    },
    // A WebSocket that closes is given up after half a minute, whatever it has not sent.
    close: () => backlog.whenEmpty(() => socket.close(1000)),
  };
}
