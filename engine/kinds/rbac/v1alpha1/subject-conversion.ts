/** Subjects with a version between v1alpha1 and v1. Mirrors pkg/apis/rbac/v1alpha1/{conversion,defaults}.go. */
import type { Subject as Stored } from '../../../api/rbac/v1/types.gen.ts';
import type { Subject } from '../../../api/rbac/v1alpha1/types.gen.ts';
import { type KubeObject, parseGroupVersion } from '../../../apimachinery/object.ts';

const group = 'rbac.authorization.k8s.io';
const own = `${group}/v1alpha1`;

interface Binding<S> extends KubeObject {
  readonly subjects?: readonly S[];
}

export function storedBinding<T extends KubeObject>(object: Binding<Subject>): T {
  return withSubjects(object, storedSubject);
}

export function ownBinding<T extends KubeObject>(object: Binding<Stored>): T {
  return withSubjects(object, ownSubject);
}

function withSubjects<A, B, T extends KubeObject>(object: Binding<A>, convert: (subject: A) => B): T {
  return (object.subjects ? { ...object, subjects: object.subjects.map(convert) } : object) as unknown as T;
}

/** The user of all names was everybody who is known. */
function storedSubject({ apiVersion = '', ...subject }: Subject): Stored {
  if (subject.kind === 'User' && subject.name === '*') return { ...subject, kind: 'Group', apiGroup: group, name: 'system:authenticated' };
  if (subject.kind === 'ServiceAccount') return subject;
  const apiGroup = subject.kind === 'User' || subject.kind === 'Group' ? group : (parseGroupVersion(apiVersion)?.group ?? '');
  return apiGroup === '' ? subject : { ...subject, apiGroup };
}

function ownSubject({ apiGroup = '', ...subject }: Stored): Subject {
  const isOwn = apiGroup === group && (subject.kind === 'User' || subject.kind === 'Group');
  const apiVersion = isOwn ? own : apiGroup === '' ? (subject.kind === 'ServiceAccount' ? 'v1' : '') : `${apiGroup}/`;
  return apiVersion === '' ? subject : { ...subject, apiVersion };
}
