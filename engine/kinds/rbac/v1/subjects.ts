/** Subjects of bindings as cells: users, groups, service accounts. Mirrors SubjectsStrings of pkg/apis/rbac. */
import type { Subject } from '../../../api/rbac/v1/types.gen.ts';

export function subjectTexts(subjects: readonly Subject[] | undefined): readonly [users: string, groups: string, accounts: string] {
  const list = subjects ?? [];
  const named = (kind: string): readonly Subject[] => list.filter((subject) => subject.kind === kind);
  const accounts = named('ServiceAccount').map(({ namespace = '', name }) => `${namespace}/${name}`);
  return [
    named('User')
      .map((subject) => subject.name)
      .join(', '),
    named('Group')
      .map((subject) => subject.name)
      .join(', '),
    accounts.join(', '),
  ];
}
