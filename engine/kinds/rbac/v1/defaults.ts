/** Defaults of bindings. Mirrors pkg/apis/rbac/v1/defaults.go. */
import type { RoleBinding, Subject } from '../../../api/rbac/v1/types.gen.ts';
import { edit, editEach } from '../../shared/defaulting.ts';

const group = 'rbac.authorization.k8s.io';

/** Role bindings and cluster role bindings have the same members. */
export function defaultBinding<B extends Pick<RoleBinding, 'roleRef' | 'subjects'>>(object: B): B {
  const next: Pick<RoleBinding, 'roleRef' | 'subjects'> = edit<Pick<RoleBinding, 'roleRef' | 'subjects'>, 'roleRef'>(object, 'roleRef', (ref) =>
    ref.apiGroup ? ref : { ...ref, apiGroup: group },
  );
  return editEach(next, 'subjects', defaultSubject) as B;
}

function defaultSubject(subject: Subject): Subject {
  return !subject.apiGroup && (subject.kind === 'User' || subject.kind === 'Group') ? { ...subject, apiGroup: group } : subject;
}
