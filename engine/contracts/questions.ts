/**
 * What the API may have to ask the outside before it can answer: a webhook, a converter, an authority on tokens. A request that asks
 * stops there; the door has the host ask, writes the answer down as an input, and lets the request begin again with it.
 */
import type { JsonValue } from '../base/json.ts';

export interface Question {
  /** Who is asked, e.g. `webhook/https://policy.example/validate`. */
  readonly to: string;
  readonly body: JsonValue;
  /** Wall time after which the asker no longer waits. */
  readonly timeoutMs: number;
  /** Its answer depends on no instant: virtual time is not held for it, so that who may ask nothing else cannot stop the clock. */
  readonly letsTimePass?: boolean;
  /** For how much virtual time an answer may stand for that to the same question; absent: for none. No part of what is written down. */
  keptMs?(answer: Answer): number;
  /** Told once of what the outside answered, after so much wall time. No part of what is written down, and nobody tells it in a replay. */
  heard?(answer: Answer, tookMs: number): void;
  /** For whoever looks at what is asked. No part of what is written down. */
  readonly about?: QuestionSubject;
  /** What an answer to it says, in the asker's words; absent: only whether there was one is known. No part of what is written down. */
  verdict?(answer: Answer): Verdict;
}

/** What a question is about, told as a request to the API is. */
export interface QuestionSubject {
  readonly verb: string;
  readonly username?: string;
  readonly group?: string;
  readonly version?: string;
  readonly resource?: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
  /** Of what is no resource. */
  readonly path?: string;
}

/** `isFailure`: who was asked gave nothing usable; else a code of 400 or more is its no. */
export interface Verdict {
  readonly code: number;
  readonly reason?: string;
  readonly message?: string;
  readonly isFailure: boolean;
}

/** Only the asker knows what it means that nobody answered (failurePolicy). */
export type Answer =
  | { readonly outcome: 'answered'; readonly body: JsonValue }
  | { readonly outcome: 'failed'; readonly message: string }
  | { readonly outcome: 'timedOut' };

/** The answer, when it is there; else whoever asked stops here, and begins again from the start with it. */
export type Ask = (question: Question) => Answer;

/** Asks for whoever does not stop meanwhile: `take` gets the answers, in order, and throws nothing. No part of history. */
export type AskLater = (questions: readonly Question[], take: (given: readonly GivenAnswer[]) => void) => void;

/** An answer with what it was given to; as read from a log, only with who gave it. */
export interface GivenAnswer {
  readonly question: Pick<Question, 'to'> & Partial<Question>;
  readonly answer: Answer;
}
