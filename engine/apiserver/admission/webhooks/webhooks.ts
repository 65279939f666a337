/** Webhooks of configurations, in the order in which they are asked. Mirrors apiserver pkg/admission/configuration. */
import type { MutatingWebhook, ValidatingWebhook } from '../../../api/admissionregistration/v1/types.gen.ts';
import { newForbidden } from '../../../apimachinery/errors.ts';
import type { KubeObject } from '../../../apimachinery/object.ts';
import type { AdmissionAttributes, AdmittedResource } from '../../admission.ts';
import { activationOf } from '../hooks/expressions.ts';
import { MatchConditions } from '../hooks/match-conditions.ts';
import { matchedResource, selects } from '../hooks/matching.ts';
import { Layers, MadeOf, type Placed, type WatchedObjects } from '../hooks/sources.ts';

export type Hook = MutatingWebhook | ValidatingWebhook;

export interface ConfiguredHook<H extends Hook> {
  /** Tells it from every other, also from one of the same name in the same configuration. */
  readonly id: string;
  readonly configuration: string;
  readonly hook: H;
  readonly conditions: MatchConditions;
}

/** Those of the API, and on disk those of manifests, which no other is confused with. */
export function layeredHooks<H extends Hook>({ onDisk, api }: Placed<WatchedObjects>): Layers<readonly ConfiguredHook<H>[]> {
  return new Layers({ onDisk: new MadeOf(onDisk, (one) => hooksOf<H>(one, 'manifest/')), api: new MadeOf(api, (one) => hooksOf<H>(one, '')) });
}

function hooksOf<H extends Hook>(configuration: KubeObject, place: string): readonly ConfiguredHook<H>[] {
  const { webhooks } = configuration as KubeObject & { readonly webhooks?: readonly H[] | null };
  const name = configuration.metadata.name ?? '';
  const counts = new Map<string, number>();
  return (webhooks ?? []).map((hook) => {
    const nth = counts.get(hook.name) ?? 0;
    counts.set(hook.name, nth + 1);
    const conditions = new MatchConditions(hook.matchConditions ?? [], { params: false, authorizer: true });
    return { id: `${place}${name}/${hook.name}/${nth}`, configuration: name, hook, conditions };
  });
}

/** The object of a request in one of its forms, made when it is first asked for. */
export class Versions {
  readonly #attributes: AdmissionAttributes;
  readonly #made = new Map<string, VersionedObjects>();

  constructor(attributes: AdmissionAttributes) {
    this.#attributes = attributes;
  }

  in(form: AdmittedResource): VersionedObjects {
    const key = `${form.group}/${form.version}`;
    let made = this.#made.get(key);
    if (made === undefined) this.#made.set(key, (made = versionedObjects(this.#attributes, form)));
    return made;
  }
}

export interface VersionedObjects {
  readonly form: AdmittedResource;
  readonly object: KubeObject | undefined;
  readonly oldObject: KubeObject | undefined;
}

export function versionedObjects({ object, oldObject, forms }: AdmissionAttributes, form: AdmittedResource): VersionedObjects {
  const convert = (one: KubeObject | undefined): KubeObject | undefined => one && forms.convert(one, forms.requested, form);
  return { form, object: convert(object), oldObject: convert(oldObject) };
}

/**
 * In which form a webhook is to be asked about a request; undefined when it is not. Throws StatusError where that cannot be told, also by
 * conditions that fail while the failure policy is Fail. `objectsIn` gives the objects as the webhook would see them.
 */
export function invocationOf<H extends Hook>(
  { hook, conditions }: ConfiguredHook<H>,
  attributes: AdmissionAttributes,
  objectsIn: (form: AdmittedResource) => VersionedObjects,
  onExcluded: () => void = () => {},
): AdmittedResource | undefined {
  const { isSelected, fault } = selects(hook, attributes);
  if (!isSelected) return undefined;
  const matched = matchedResource(hook.rules ?? [], hook.matchPolicy, attributes);
  if (matched === undefined) return undefined;
  if (fault !== undefined) throw fault;
  if (conditions.isEmpty) return matched;
  const { object, oldObject } = objectsIn(matched);
  const met = conditions.evaluate(activationOf({ attributes, matched, object, oldObject }));
  if (met.type === 'met') return matched;
  if (met.type === 'unmet') {
    onExcluded();
    return undefined;
  }
  if (hook.failurePolicy === 'Ignore') return undefined;
  const { group, resource, name } = attributes;
  throw newForbidden({ group, resource }, name, met.message);
}
