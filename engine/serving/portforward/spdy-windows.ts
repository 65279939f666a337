/**
 * Flow control of SPDY/3.1: how many bytes of data each side may send of a stream, and of all streams together (stream 0), before the
 * other has taken them. The library of kubectl and of kubelets neither sends updates nor heeds them, so a peer is only bound to windows,
 * and we to its, once it has spoken of them: by SETTINGS, or by a first WINDOW_UPDATE.
 */
export const initialWindowBytes = 64 * 1024;
const windowMaxBytes = 0x7fffffff;

/** What the other side takes. */
export class SendWindow {
  #sent = 0;
  #credit = 0;

  sent(bytes: number): void {
    this.#sent += bytes;
  }

  /** False where it grows beyond what the protocol allows. */
  widen(bytes: number, initial: number): boolean {
    this.#credit += bytes;
    return bytes > 0 && this.room(initial) <= windowMaxBytes;
  }

  /** Negative where more was sent before the other side spoke of windows, or made them smaller. */
  room(initial: number): number {
    return initial + this.#credit - this.#sent;
  }
}

/** What we have taken and not yet told of. */
export class ReceiveWindow {
  #untold = 0;

  /** How much is to be told now; few updates tell of much. */
  taken(bytes: number): number {
    this.#untold += bytes;
    if (this.#untold < initialWindowBytes / 2) return 0;
    const told = this.#untold;
    this.#untold = 0;
    return told;
  }
}
