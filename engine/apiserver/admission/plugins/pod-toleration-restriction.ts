/** Pods get the tolerations of their namespace, and no others than it allows. Mirrors plugin/pkg/admission/podtolerationrestriction. */
import type { Namespace, Pod, Toleration } from '../../../api/core/v1/types.gen.ts';
import { newNotFound, newStatusError } from '../../../apimachinery/errors.ts';
import { errorText, type FieldError, root } from '../../../apimachinery/field-errors.ts';
import { hasPending } from '../../../apimachinery/initializers.ts';
import { goKind } from '../../../apimachinery/serializer/go-names.ts';
import { decodeJson } from '../../../apimachinery/serializer/json.ts';
import { typeError } from '../../../apimachinery/serializer/scalars.ts';
import { getOwn } from '../../../base/dictionary.ts';
import { deepEqual } from '../../../base/equal.ts';
import { isObject, type JsonObject, type JsonValue } from '../../../base/json.ts';
import { podQosClass } from '../../../component-helpers/pod-qos.ts';
import { covers } from '../../../component-helpers/tolerations.ts';
import { validateTolerations } from '../../../kinds/core/v1/placement-validation.ts';
import type { AdmissionAttributes } from '../../admission.ts';
import { ConfigurationFault, Fields, mustBeKind } from '../../configuration-reader.ts';
import { type AdmissionPlugin, defineAdmissionPlugin } from '../plugin.ts';

export interface TolerationRestriction {
  readonly default: readonly Toleration[];
  readonly whitelist: readonly Toleration[];
}

const defaultsKey = 'scheduler.alpha.kubernetes.io/defaultTolerations';
const whitelistKey = 'scheduler.alpha.kubernetes.io/tolerationsWhitelist';
const apiVersion = 'podtolerationrestriction.admission.k8s.io/v1alpha1';
const memoryPressure: Toleration = { key: 'node.kubernetes.io/memory-pressure', operator: 'Exists', effect: 'NoSchedule' };

const mergedMax = 1000;

/** Throws ConfigurationFault. */
export function readTolerationRestriction(document: JsonObject | undefined): TolerationRestriction {
  if (document === undefined) return { default: [], whitelist: [] };
  mustBeKind(document, [apiVersion], 'Configuration');
  const fields = new Fields(document, '');
  const restriction = { default: tolerationsOf([...fields.list('default')]), whitelist: tolerationsOf([...fields.list('whitelist')]) };
  const faults: FieldError[] = [];
  for (const list of ['default', 'whitelist'] as const)
    validateTolerations(restriction[list], false, root('podtolerationrestriction').child(list), faults);
  if (faults.length > 0) throw new ConfigurationFault(`invalid config: [${faults.map(errorText).join(' ')}]`);
  return restriction;
}

/** Also what waits for initializers. */
function isInTheMaking({ verb, oldObject }: AdmissionAttributes): boolean {
  return verb === 'CREATE' || (oldObject !== undefined && hasPending(oldObject));
}

/** `byCover`: a toleration stands for those that it covers; else those of one key and effect are the same or in conflict. */
export function createPodTolerationRestriction(cluster: TolerationRestriction, byCover: boolean): AdmissionPlugin {
  const { merge, isAllowed } = byCover ? covering : earlier;
  const check = (attributes: AdmissionAttributes): void => {
    const tolerations = (attributes.object as Pod).spec?.tolerations ?? [];
    if (tolerations.length === 0) return;
    const own = annotated(attributes, whitelistKey);
    const whitelist = own ?? cluster.whitelist;
    if (whitelist.length === 0 || isAllowed(tolerations, whitelist)) return;
    const scope = own === undefined && byCover ? 'cluster' : 'namespace';
    // An error and no Status, as upstream.
    throw newStatusError(500, '', `pod tolerations (possibly merged with namespace default tolerations) conflict with its ${scope} whitelist`);
  };
  return defineAdmissionPlugin({
    name: 'PodTolerationRestriction',
    verbs: ['CREATE', 'UPDATE'],
    resources: ['pods'],
    admit(object, attributes) {
      const pod = object as Pod;
      const { spec } = pod;
      if (spec === undefined) return object;
      const own = isInTheMaking(attributes) ? (annotated(attributes, defaultsKey) ?? cluster.default) : [];
      const extra = podQosClass(pod) === 'BestEffort' ? [] : [memoryPressure];
      const isBare = own.length + extra.length === 0;
      const next = isBare ? object : { ...object, spec: { ...spec, tolerations: merge(spec.tolerations ?? [], own, extra) } };
      check({ ...attributes, object: next });
      return next;
    },
    validate: check,
  });
}

/** What a namespace says; undefined where it says nothing. */
function annotated({ namespace, lookup }: AdmissionAttributes, key: string): readonly Toleration[] | undefined {
  const found = lookup('', 'namespaces', undefined, namespace) as Namespace | undefined;
  if (found === undefined) throw newNotFound({ group: '', resource: 'namespaces' }, namespace);
  const text = getOwn(found.metadata.annotations ?? {}, key);
  if (text === undefined || text === '') return text === undefined ? undefined : [];
  try {
    return annotatedTolerations(decodeJson(text).value as JsonValue);
  } catch (error) {
    throw newStatusError(500, '', (error as Error).message);
  }
}

const goTypes = { key: 'string', operator: 'v1.TolerationOperator', value: 'string', effect: 'v1.TaintEffect', tolerationSeconds: 'int64' } as const;

/** What has a wrong type is told in the words of Go's decoder. */
function annotatedTolerations(value: JsonValue): readonly Toleration[] {
  const entries = Array.isArray(value) ? (value as readonly JsonValue[]).filter(isObject) : [];
  for (const entry of entries)
    for (const [name, type] of Object.entries(goTypes)) {
      const given = getOwn(entry, name) ?? undefined;
      const fits = type === 'int64' ? Number.isSafeInteger(given) : typeof given === 'string';
      if (given !== undefined && !fits) throw typeError(given, 'Toleration', name, type);
    }
  return tolerationsOf(value);
}

function tolerationsOf(value: JsonValue): readonly Toleration[] {
  if (!Array.isArray(value)) throw new ConfigurationFault(`json: cannot unmarshal ${goKind(value)} into Go value of type []v1.Toleration`);
  return (value as readonly JsonValue[]).map((entry) => {
    if (!isObject(entry)) throw new ConfigurationFault(`json: cannot unmarshal ${goKind(entry)} into Go value of type v1.Toleration`);
    const fields = new Fields(entry, '');
    const texts = (['key', 'operator', 'value', 'effect'] as const).flatMap((name) =>
      fields.text(name) === '' ? [] : [[name, fields.text(name)] as const],
    );
    const tolerationSeconds = fields.integer('tolerationSeconds');
    return { ...Object.fromEntries(texts), ...(tolerationSeconds === undefined ? {} : { tolerationSeconds }) };
  });
}

/** What a pod tolerates with what its namespace and its class of quality bring. */
interface TolerationRules {
  merge(given: readonly Toleration[], own: readonly Toleration[], extra: readonly Toleration[]): readonly Toleration[];
  isAllowed(tolerations: readonly Toleration[], whitelist: readonly Toleration[]): boolean;
}

const covering: TolerationRules = {
  merge: (given, own, extra) => mergeCovered([...given, ...own, ...extra]),
  isAllowed: (tolerations, whitelist) => tolerations.every((given) => whitelist.some((allowed) => isWithin(given, allowed))),
};

/** Mirrors pkg/util/tolerations of release 1.13. */
const earlier: TolerationRules = {
  merge(given, own, extra) {
    const places = byPlace(own);
    if ([...byPlace(given)].some(([place, toleration]) => places.has(place) && !isSame(toleration, places.get(place))))
      throw newStatusError(500, '', 'namespace tolerations and pod tolerations conflict');
    const first = given.length === 0 ? own : own.length === 0 ? given : [...given, ...absentFrom(given, own)];
    return extra.length === 0 ? first : [...extra, ...absentFrom(extra, first)];
  },
  isAllowed(tolerations, whitelist) {
    const allowed = byPlace(whitelist);
    return [...byPlace(tolerations)].every(([place, toleration]) => isSame(toleration, allowed.get(place)));
  },
};

/** By key and effect, of several the last. */
function byPlace(tolerations: readonly Toleration[]): ReadonlyMap<string, Toleration> {
  return new Map(tolerations.map((toleration) => [`${toleration.effect ?? ''}/${toleration.key ?? ''}`, toleration]));
}

function absentFrom(present: readonly Toleration[], more: readonly Toleration[]): readonly Toleration[] {
  const places = byPlace(present);
  return [...byPlace(more)].flatMap(([place, toleration]) => (places.has(place) ? [] : [toleration]));
}

function isSame(one: Toleration, other: Toleration | undefined): boolean {
  return other !== undefined && deepEqual(one, other);
}

/** Of what one covers another the wider stays, of equals the first. Each is held against each, so that very many stay as they are. */
function mergeCovered(all: readonly Toleration[]): readonly Toleration[] {
  if (all.length > mergedMax) return all;
  const merged: Toleration[] = [];
  for (const [index, toleration] of all.entries()) {
    if (merged.some((other) => isWithin(toleration, other))) continue;
    if (all.slice(index + 1).some((other) => !deepEqual(toleration, other) && isWithin(toleration, other))) continue;
    merged.push(toleration);
  }
  return merged;
}

function isWithin(narrow: Toleration, wide: Toleration): boolean {
  return deepEqual(narrow, wide) || covers(wide, narrow);
}
