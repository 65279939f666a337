/**
 * What a ControllerRevision holds: a patch that puts a pod template back, as JSON text whose bytes tell one revision from another.
 * Mirrors getPatch and ApplyRevision of pkg/controller/statefulset and pkg/controller/daemon.
 */
import type { ControllerRevision } from '../../api/apps/v1/types.gen.ts';
import type { PodTemplateSpec } from '../../api/core/v1/types.gen.ts';
import { DecodeError } from '../../apimachinery/serializer/canonicalize.ts';
import { decodeJson, encodeJson } from '../../apimachinery/serializer/json.ts';
import type { JsonObject } from '../../base/json.ts';
import type { ControllerTraits } from '../../contracts/release.ts';
import type { CanonicalForm } from './canonical-form.ts';

/** The text of the patch for a template, with sorted keys. `nullCreation` puts an empty time of creation in, as Go did for long. */
function templatePatch(template: PodTemplateSpec | undefined, nullCreation: boolean): string {
  const metadata = nullCreation ? { metadata: { creationTimestamp: null, ...template?.metadata } } : {};
  return goJson({ spec: { template: { ...template, ...metadata, $patch: 'replace' } } });
}

/** The text as a revision's `data`. */
export function patchData(text: string): JsonObject {
  return decodeJson(text).value as JsonObject;
}

/** Reads revisions. What was read once is known by the object that held it. */
export class RevisionData {
  readonly nullCreation: boolean;
  readonly #texts = new WeakMap<object, string>();
  readonly #form: CanonicalForm;

  constructor(form: CanonicalForm, { writesNullCreation }: Pick<ControllerTraits, 'writesNullCreation'>) {
    this.nullCreation = writesNullCreation;
    this.#form = form;
  }

  /** The text that a revision of this template has. */
  patchOf(template: PodTemplateSpec | undefined): string {
    return templatePatch(template, this.nullCreation);
  }

  /** The patch as text. */
  textOf({ data }: ControllerRevision): string {
    if (data === undefined || data === null) return '';
    const known = this.#texts.get(data);
    if (known !== undefined) return known;
    const text = goJson(data);
    this.#texts.set(data, text);
    return text;
  }

  /** The template that the revision puts back; undefined where it holds none that could be one. */
  templateOf({ data }: ControllerRevision): PodTemplateSpec | undefined {
    const { $patch: _, ...template } = memberOf(memberOf(data, 'spec'), 'template') ?? {};
    try {
      return this.#form.template(template);
    } catch (error) {
      if (error instanceof DecodeError) return undefined;
      throw error;
    }
  }
}

/** JSON as Go writes what it read into maps: keys sorted, every number a double. */
function goJson(value: unknown): string {
  if (typeof value === 'bigint') return String(Number(value));
  if (typeof value !== 'object' || value === null) return encodeJson(value);
  if (Array.isArray(value)) return `[${value.map((element) => goJson(element)).join(',')}]`;
  const entries = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${entries
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => `${encodeJson(key)}:${goJson(member)}`)
    .join(',')}}`;
}

function memberOf(value: unknown, name: string): Record<string, unknown> | undefined {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  const member = (value as Record<string, unknown>)[name];
  return typeof member === 'object' && member !== null && !Array.isArray(member) ? (member as Record<string, unknown>) : undefined;
}
