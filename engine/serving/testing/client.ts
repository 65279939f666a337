/** A bare socket, for what no HTTP client would send. */
import { connect, type Socket } from 'node:net';
import type { Listener } from '../listener.ts';

/** A client that sends bytes and keeps what it hears, as text. */
export class Client {
  readonly socket: Socket;
  readonly closed: Promise<string>;
  #text = '';
  #waiting: { readonly words: string; readonly heard: () => void } | undefined;

  constructor({ port }: Pick<Listener, 'port'>, text = '') {
    this.socket = connect(port, '127.0.0.1');
    this.socket.on('error', () => undefined);
    this.socket.on('data', (chunk: Buffer) => {
      this.#text += chunk.toString();
      if (this.#waiting !== undefined && this.#text.includes(this.#waiting.words)) this.#waiting.heard();
    });
    this.closed = new Promise((resolve) => {
      this.socket.on('close', () => resolve(this.#text));
    });
    this.socket.write(text);
  }

  hears(words: string): Promise<string> {
    return new Promise((resolve) => {
      const heard = (): void => resolve(this.#text);
      this.#waiting = { words, heard };
      if (this.#text.includes(words)) heard();
    });
  }
}
