/** Puts a cluster's questions to the outside, and waits for each no longer than its asker does. */
import type { JsonValue } from '../base/json.ts';
import type { Answer, Question } from '../contracts/questions.ts';
import type { WallClock } from './pacing.ts';

/** Reaches whom a question names; rejects with what went wrong. `signal` says that nobody waits any more. */
export type Reach = (question: Question, signal: AbortSignal) => Promise<JsonValue>;

export function createAsk(reach: Reach, wall: Pick<WallClock, 'after'>): (question: Question) => Promise<Answer> {
  return (question) =>
    new Promise((resolve) => {
      const abort = new AbortController();
      const cancel = wall.after(question.timeoutMs, () => {
        resolve({ outcome: 'timedOut' });
        abort.abort();
      });
      const settle = (answer: Answer): void => {
        cancel();
        resolve(answer);
      };
      reach(question, abort.signal).then(
        (body) => settle({ outcome: 'answered', body }),
        (error: unknown) => settle({ outcome: 'failed', message: error instanceof Error ? error.message : String(error) }),
      );
    });
}
