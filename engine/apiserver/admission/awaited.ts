/** A refusal for something that somebody is about to make. */
import { StatusError } from '../../apimachinery/status.ts';

interface Awaited {
  readonly delayMs: number;
  readonly wallMostMs: number;
  readonly times: number;
}

/** Whoever asks and can wait begins again each `delayMs` of virtual time, or `wallMostMs` of wall time, so many times, before the refusal counts. */
export class AwaitedRefusal extends StatusError {
  readonly awaited: Awaited;

  constructor({ status }: StatusError, awaited: Awaited) {
    super(status);
    this.awaited = awaited;
  }
}

/** Ends a request that has to wait for it; it is handled again from the start. */
export class Awaiting extends Error {
  readonly delayMs: number;
  readonly wallMostMs: number;

  constructor({ message, awaited }: AwaitedRefusal) {
    super(message);
    this.name = 'Awaiting';
    this.delayMs = awaited.delayMs;
    this.wallMostMs = awaited.wallMostMs;
  }
}

/** Throws Awaiting where the answer is a refusal that may not last, and whoever asks can wait. */
export function orAwaited<T>(passage: { readonly mayWait: boolean; awaited: number }, act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof AwaitedRefusal) || !passage.mayWait || passage.awaited >= error.awaited.times) throw error;
    passage.awaited++;
    throw new Awaiting(error);
  }
}
