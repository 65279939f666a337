/** Which of the wanted names a definition gets: none that another one of its group has. Mirrors apiextensions-apiserver pkg/controller/status. */
import type { CustomResourceDefinition, CustomResourceDefinitionNames } from '../api/apiextensions/v1/types.gen.ts';
import { goQuote } from '../apimachinery/quote.ts';
import { deepEqual } from '../base/equal.ts';
import { type Condition, conditionOf, saysTheSame } from '../component-helpers/definition-conditions.ts';

export interface Naming {
  readonly acceptedNames: CustomResourceDefinitionNames;
  readonly conditions: readonly Condition[];
}

/** What is to be written about the names of `definition`; undefined when all of it is written. */
export function namingOf(definition: CustomResourceDefinition, all: readonly CustomResourceDefinition[]): Naming | undefined {
  const wanted = definition.spec.names;
  const accepted: Partial<CustomResourceDefinitionNames> = definition.status?.acceptedNames ?? {};
  if (deepEqual(wanted, accepted)) return undefined;
  const { resources, kinds } = takenNames(all.filter(({ spec }) => spec.group === definition.spec.group));
  const faults: Pick<Condition, 'reason' | 'message'>[] = [];
  const names: { -readonly [K in keyof CustomResourceDefinitionNames]?: CustomResourceDefinitionNames[K] } = { ...accepted };
  const take = (member: 'plural' | 'singular' | 'kind' | 'listKind', reason: string): void => {
    const name = wanted[member] ?? '';
    const taken = member === 'kind' || member === 'listKind' ? kinds : resources;
    if (name === (accepted[member] ?? '') || !taken.has(name)) names[member] = name;
    else faults.push({ reason, message: inUse(name) });
  };
  take('plural', 'PluralConflict');
  take('singular', 'SingularConflict');
  const shortNames = new Set(accepted.shortNames);
  const shortFaults = (wanted.shortNames ?? []).filter((name) => resources.has(name) && !shortNames.has(name)).map(inUse);
  if (shortFaults.length > 0) faults.push({ reason: 'ShortNamesConflict', message: aggregate(shortFaults) });
  else if (wanted.shortNames !== undefined) names.shortNames = wanted.shortNames;
  else delete names.shortNames;
  take('kind', 'KindConflict');
  take('listKind', 'ListKindConflict');
  if (wanted.categories !== undefined) names.categories = wanted.categories;
  else delete names.categories;
  // The last fault is the one that is told.
  const fault = faults.at(-1);
  const naming: Condition =
    fault === undefined
      ? { type: 'NamesAccepted', status: 'True', reason: 'NoConflicts', message: 'no conflicts found' }
      : { type: 'NamesAccepted', status: 'False', ...fault };
  const acceptedNames = names as CustomResourceDefinitionNames;
  if (deepEqual(acceptedNames, accepted) && saysTheSame(naming, conditionOf(definition, 'NamesAccepted'))) return undefined;
  return { acceptedNames, conditions: [naming, establishedOf(definition, naming)] };
}

function establishedOf(definition: CustomResourceDefinition, naming: Condition): Condition {
  const before = conditionOf(definition, 'Established');
  if (before?.status !== 'True' && naming.status === 'True')
    return { type: 'Established', status: 'False', reason: 'Installing', message: 'the initial names have been accepted' };
  return before ?? { type: 'Established', status: 'False', reason: 'NotAccepted', message: 'not all names are accepted' };
}

function takenNames(definitions: readonly CustomResourceDefinition[]): {
  readonly resources: ReadonlySet<string>;
  readonly kinds: ReadonlySet<string>;
} {
  const accepted = definitions.flatMap(({ status }) => (status?.acceptedNames === undefined ? [] : [status.acceptedNames]));
  return {
    resources: new Set(accepted.flatMap(({ plural, singular = '', shortNames = [] }) => [plural, singular, ...shortNames])),
    kinds: new Set(accepted.flatMap(({ kind, listKind = '' }) => [kind, listKind])),
  };
}

function inUse(name: string): string {
  return `${goQuote(name)} is already in use`;
}

function aggregate(messages: readonly string[]): string {
  const unique = [...new Set(messages)];
  return unique.length === 1 ? (unique[0] as string) : `[${unique.join(', ')}]`;
}
