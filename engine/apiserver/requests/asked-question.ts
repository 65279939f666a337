/** What a question to the outside was about and what came of it, as its asker tells both. */
import { isObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import type { Answer, Question, Verdict } from '../../contracts/questions.ts';
import type { LoggedRequest } from './logged-request.ts';
import { cut } from './request-log.ts';

const textMax = 256;
const uriMax = 512;
const [timedOut, failed] = [504, 502];

export type AskedQuestion = Pick<Question, 'to' | 'body' | 'about' | 'verdict'>;

/** Fills in one of which its number and instants are known. */
export function describeQuestion(kept: LoggedRequest, { to, body, about }: AskedQuestion, { code, reason, message }: Verdict): void {
  const call = objectOr(body);
  const { verb, username, group, version, resource, subresource, namespace, name, path = '' } = about ?? { verb: 'call' };
  kept.userAgent = textOf(to);
  kept.uri = cut(textOr(call['url']) || path, uriMax);
  kept.receivedBytes = textOr(call['text']).length;
  kept.verb = textOf(verb);
  kept.username = textOf(username);
  kept.group = textOf(group);
  kept.version = textOf(version);
  kept.resource = textOf(resource);
  kept.subresource = textOf(subresource);
  kept.namespace = textOf(namespace);
  kept.name = textOf(name);
  kept.code = code;
  kept.reason = textOf(reason);
  kept.message = textOf(message);
}

/** Of what nobody judges the code of the answer is all that is known. */
export function verdictOf({ verdict }: AskedQuestion, answer: Answer): Verdict {
  if (verdict !== undefined) return verdict(answer);
  if (answer.outcome === 'timedOut') return { code: timedOut, message: 'context deadline exceeded', isFailure: true };
  if (answer.outcome === 'failed') return { code: failed, message: answer.message, isFailure: true };
  const code = Number(objectOr(answer.body)['code'] ?? 200);
  return { code, isFailure: code >= 400 };
}

function textOf(text: string | undefined): string {
  return cut(text ?? '', textMax);
}

function objectOr(value: JsonValue | undefined): JsonObject {
  return isObject(value) ? value : {};
}

function textOr(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
