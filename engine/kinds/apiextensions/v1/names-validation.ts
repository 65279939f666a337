/** Names of a kind, asked for or accepted. Mirrors ValidateCustomResourceDefinitionNames of apiextensions-apiserver. */
import type { CustomResourceDefinitionNames } from '../../../api/apiextensions/v1/types.gen.ts';
import { type FieldPath, invalid } from '../../../apimachinery/field-errors.ts';
import { isDNS1035Label } from '../../../apimachinery/validation.ts';
import type { Faults } from '../../core/v1/resource-validation.ts';

/** What is not there is no fault here. */
export function validateNames(names: Partial<CustomResourceDefinitionNames>, path: FieldPath, out: Faults): void {
  const judge = (value: string, at: FieldPath, isKind = false): void => {
    const faults = value === '' ? [] : isDNS1035Label(isKind ? value.toLowerCase() : value);
    const why = faults.join(',');
    if (faults.length > 0) out.push(invalid(at, value, isKind ? `may have mixed case, but should otherwise match: ${why}` : why));
  };
  judge(names.plural ?? '', path.child('plural'));
  judge(names.singular ?? '', path.child('singular'));
  judge(names.kind ?? '', path.child('kind'), true);
  judge(names.listKind ?? '', path.child('listKind'), true);
  judgeList(names.shortNames, path.child('shortNames'), out);
  if (names.kind && names.kind === names.listKind) out.push(invalid(path.child('listKind'), names.listKind, 'kind and listKind may not be the same'));
  judgeList(names.categories, path.child('categories'), out);
}

function judgeList(values: readonly string[] | undefined | null, path: FieldPath, out: Faults): void {
  for (const [index, value] of (values ?? []).entries()) {
    const faults = isDNS1035Label(value);
    if (faults.length > 0) out.push(invalid(path.index(index), value, faults.join(',')));
  }
}
