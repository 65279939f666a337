/**
 * Which objects of a collection a request wants: its label and field selectors over the fields that the kind lets be selected.
 * Mirrors apiserver pkg/storage/selection_predicate.go.
 */
import { newBadRequest } from '../apimachinery/errors.ts';
import { parseFieldSelector, type FieldSelector } from '../apimachinery/fields.ts';
import { everything, labelSelectorAsSelector, parseSelector, SelectorError, type LabelSelector, type LabelSet } from '../apimachinery/labels.ts';
import { goQuote } from '../apimachinery/quote.ts';
import { formatGroupVersion, type KubeObject } from '../apimachinery/object.ts';
import type { StoredBeside } from '../contracts/kind.ts';
import type { ListOptions } from '../contracts/request.ts';
import type { Resource } from './resource.ts';
import type { Shard } from './shards.ts';

export interface Selection {
  /** No selector at all. */
  readonly everything: boolean;
  /** The one name that can match, if the field selector says so. */
  readonly name: string | undefined;
  /** The one namespace that can match; empty when any can. */
  readonly namespace: string;
  /** Of an object in the version of the request. */
  matches(object: KubeObject): boolean;
  /** The same of an object as it is stored, where nobody has to be asked how it looks in the version of the request. */
  matchesStored(stored: KubeObject): boolean;
}

const all: Selection = { everything: true, name: undefined, namespace: '', matches: () => true, matchesStored: () => true };

const nothingBeside: StoredBeside = () => undefined;

/** Throws what is no selector at all, before it is known of which kind. */
export function checkSelectors({ labelSelector, fieldSelector }: Pick<ListOptions, 'labelSelector' | 'fieldSelector'>): void {
  if (labelSelector) parsed(() => parseSelector(labelSelector));
  if (fieldSelector) parsed(() => parseFieldSelector(fieldSelector));
}

export function makeSelection(
  resource: Pick<Resource, 'kind'>,
  options: Pick<ListOptions, 'labelSelector' | 'fieldSelector' | 'nameContains' | 'stateIs' | 'looksLike'>,
  shard?: Shard,
  stored: StoredBeside = nothingBeside,
): Selection {
  const { nameContains, stateIs, looksLike } = options;
  const { stateOf, lookOf } = resource.kind;
  const selection = selectionOf(resource, options);
  const named = nameContains === undefined ? selection : within(selection, ({ metadata }) => metadata.name?.includes(nameContains) === true);
  // As nobody counts other kinds by state, none of them has one.
  const counted = stateIs === undefined ? named : within(named, (object) => stateOf?.(object, stored) === stateIs);
  const looking = looksLike === undefined ? counted : within(counted, (object) => lookOf?.(object, stored) === looksLike);
  return shard === undefined ? looking : within(looking, (object) => shard.matches(object));
}

/** `isIn` looks at what no version changes. */
function within(selection: Selection, isIn: (object: KubeObject) => boolean): Selection {
  return {
    ...selection,
    everything: false,
    matches: (object) => isIn(object) && selection.matches(object),
    matchesStored: (stored) => isIn(stored) && selection.matchesStored(stored),
  };
}

function selectionOf(resource: Pick<Resource, 'kind'>, options: Pick<ListOptions, 'labelSelector' | 'fieldSelector'>): Selection {
  if (!options.labelSelector && !options.fieldSelector) return all;
  const labels = options.labelSelector ? parsed(() => parseSelector(options.labelSelector as string)) : everything();
  const fields = options.fieldSelector ? parsed(() => parseFieldSelector(options.fieldSelector as string)) : undefined;
  for (const { field } of fields?.requirements ?? []) checkField(resource, field);
  if (labels.isEmpty() && (fields === undefined || fields.isEmpty())) return all;
  const matchesFields = fields === undefined || fields.isEmpty() ? undefined : fieldMatcher(resource, fields);
  const inVersion = resource.kind.storage?.fromStorage ?? ((stored: KubeObject): KubeObject => stored);
  return {
    everything: false,
    name: fields?.requiresExactMatch('metadata.name'),
    namespace: fields?.requiresExactMatch('metadata.namespace') ?? '',
    matches: (object) => labels.matches(object.metadata.labels) && (matchesFields === undefined || matchesFields(object)),
    matchesStored: (stored) => labels.matches(stored.metadata.labels) && (matchesFields === undefined || matchesFields(inVersion(stored))),
  };
}

function fieldMatcher({ kind: { selectableFields } }: Pick<Resource, 'kind'>, fields: FieldSelector): (object: KubeObject) => boolean {
  return (object) =>
    fields.matches((field) => {
      if (field === 'metadata.name') return object.metadata.name ?? '';
      if (field === 'metadata.namespace') return object.metadata.namespace ?? '';
      return selectableFields?.[field]?.(object) ?? '';
    });
}

function checkField({ kind }: Pick<Resource, 'kind'>, field: string): void {
  const { selectableFields: own, fieldLabels } = kind;
  if (field === 'metadata.name' || (field === 'metadata.namespace' && fieldLabels?.withoutNamespace !== true)) return;
  if (own !== undefined && Object.hasOwn(own, field)) return;
  if (own === undefined) throw newBadRequest(`${goQuote(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`);
  throw newBadRequest(fieldLabels?.refusal?.(field, formatGroupVersion(kind)) ?? `field label not supported: ${field}`);
}

function parsed<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (error instanceof SelectorError) throw newBadRequest(error.message);
    throw error;
  }
}

/** Matches a selector of a spec; an invalid or absent one matches nothing. */
export function isLabelSelectorMatch(selector: unknown, labels: LabelSet | undefined): boolean {
  if (typeof selector !== 'object' || selector === null) return false;
  try {
    return labelSelectorAsSelector(selector as LabelSelector).matches(labels);
  } catch (error) {
    if (error instanceof SelectorError) return false;
    throw error;
  }
}
