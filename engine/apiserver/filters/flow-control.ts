/**
 * A request takes a seat while it is served: as long as it waits for an answer from outside, is delayed by a fault, is sent piece by
 * piece, or begins a watch. Who finds none waits or is sent away. Mirrors WithPriorityAndFairness and WithMaxInFlightLimit of apiserver
 * pkg/server/filters.
 */
import { QueuedSeat } from '../flowcontrol/occupied.ts';
import { type Seat, TooManyRequests } from '../flowcontrol/seats.ts';
import type { Chunk, Gathered, HttpPlainResponse, HttpResponse, HttpStreamResponse } from '../http-types.ts';
import { text } from '../non-resource.ts';
import { isPostponed } from './fault-injection.ts';
import type { Exchange, Filter, FilterTools, Handler } from './filter.ts';

export const flowControl: Filter = {
  name: 'flow-control',
  isGuard: true,
  handle(exchange, next, tools) {
    try {
      const seat = seatOf(exchange, tools);
      return seat === undefined ? next(exchange) : seated(exchange, next, seat, tools);
    } catch (error) {
      if (error instanceof TooManyRequests) return tooMany(error.retryAfterSeconds);
      throw error;
    }
  },
};

/** One request has one seat, however often it begins again. */
function seatOf(exchange: Exchange, { limiter }: FilterTools): Seat | undefined {
  const { passage } = exchange;
  const known = passage.seat;
  if (known !== undefined) {
    // Whoever is sent away before he comes here again gives it back where he leaves.
    passage.seat = undefined;
    if (known.refusal !== undefined) throw known.refusal;
    return known;
  }
  try {
    return limiter?.admit(exchange);
  } catch (error) {
    if (error instanceof QueuedSeat) passage.seat = error.seat;
    throw error;
  }
}

function seated(exchange: Exchange, next: Handler, seat: Seat, { limiter }: FilterTools): HttpResponse {
  let response: HttpResponse;
  try {
    response = next(exchange);
  } catch (error) {
    if (isPostponed(error)) {
      seat.keep();
      exchange.passage.seat = seat;
    } else seat.release();
    throw error;
  }
  if ('upgrade' in response) seat.release();
  else if ('open' in response) return whileBeginning(response, seat, limiter?.watched(exchange));
  else if (typeof response.body === 'string' || response.body instanceof Uint8Array || exchange.request.method === 'HEAD') seat.release();
  else return whileSent(response, seat);
  return response;
}

function tooMany(seconds: number): HttpPlainResponse {
  const answer = text(429, 'Too many requests, please try again later.\n');
  return { ...answer, headers: { ...answer.headers, 'retry-after': String(seconds) } };
}

/** Until the last piece is made, or nobody wants more. */
function whileSent(response: HttpPlainResponse, seat: Seat): HttpPlainResponse {
  const chunks = response.body as Iterable<Chunk>;
  seat.keep(true);
  const body: Iterable<Chunk> = {
    [Symbol.iterator]: () => {
      const inner = chunks[Symbol.iterator]();
      return {
        next: () => {
          try {
            const step = inner.next();
            if (step.done === true) seat.release();
            return step;
          } catch (error) {
            seat.release();
            throw error;
          }
        },
        return: () => {
          seat.release();
          return inner.return?.() ?? { done: true, value: undefined };
        },
      };
    },
  };
  return { ...response, body };
}

/** What a stream begins with is work like a list; what follows is not. `forget`: nobody watches by it any more. */
function whileBeginning(response: HttpStreamResponse, seat: Seat, forget: (() => void) | undefined): HttpStreamResponse {
  seat.keep(true);
  return {
    ...response,
    open: (sink) => {
      let isBeginning = true;
      let unmade = 0;
      const made = (): void => {
        if (--unmade === 0 && !isBeginning) seat.release();
      };
      const close = response.open({
        end: () => sink.end(),
        isBehind: () => sink.isBehind?.() === true,
        ...(sink.gather !== undefined && { gather: (gathered: Gathered) => sink.gather?.(gathered) }),
        write: (chunk) => {
          if (!isBeginning || typeof chunk !== 'function') return sink.write(chunk);
          unmade++;
          sink.write(() => {
            made();
            return chunk();
          });
        },
      });
      isBeginning = false;
      if (unmade === 0) seat.release();
      return () => {
        seat.release();
        forget?.();
        close();
      };
    },
  };
}
