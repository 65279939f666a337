/** Refusals in the words of a release: sentences of now that it put otherwise. */
import type { Status } from '../apimachinery/status.ts';
import type { Wording } from '../contracts/release.ts';

export function reworded(status: Status, words: readonly Wording[]): Status {
  if (words.length === 0) return status;
  const say = (text: string): string => words.reduce((said, [now, then]) => said.replaceAll(now, then), text);
  const { message, details } = status;
  const causes = details?.causes?.map((cause) => (cause.message === undefined ? cause : { ...cause, message: say(cause.message) }));
  return {
    ...status,
    ...(message === undefined ? undefined : { message: say(message) }),
    ...(details === undefined || causes === undefined ? undefined : { details: { ...details, causes } }),
  };
}
