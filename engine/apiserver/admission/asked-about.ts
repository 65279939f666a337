/** What a question of admission is about: the request that stands before it. */
import type { QuestionSubject } from '../../contracts/questions.ts';
import type { AdmissionAttributes } from '../admission.ts';

export function subjectOf({ verb, identity, group, version, resource, subresource, namespace, name }: AdmissionAttributes): QuestionSubject {
  return { verb: verb.toLowerCase(), username: identity.name, group, version, resource, subresource, namespace, name };
}
