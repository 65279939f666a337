/**
 * What the registry needs of the meta-language: canonical form, patches, managed fields. An interface, so that the registry can be
 * tested without schemas; `default-machinery.ts` builds it from the real rooms.
 */
import type { TypeNode } from '../apimachinery/managed-fields/types.ts';
import type { VersionLookup } from '../apimachinery/managed-fields/versions.ts';
import type { KubeObject, ManagedFieldsEntry } from '../apimachinery/object.ts';
import type { JsonObject, JsonValue } from '../base/json.ts';
import type { PatchType } from '../contracts/request.ts';
import type { MessageSchema } from '../apimachinery/schema.ts';
import type { Keeps } from '../apimachinery/serializer/walk.ts';
import type { FieldsJudge, NameFault } from './patched-names.ts';

export type FieldValidation = 'Ignore' | 'Warn' | 'Strict';

/** By whom, through which door, and as which version fields are written. */
export interface FieldOwnership {
  readonly manager: string;
  readonly subresource: string | undefined;
  readonly apiVersion: string;
  readonly kind: string;
  readonly schema: MessageSchema;
  readonly resetFields: readonly (readonly string[])[];
  readonly nowText: string;
  /** Versions in which others may own fields; absent where there is but one. */
  readonly versions?: VersionLookup;
}

export interface ApplyOptions extends FieldOwnership {
  readonly force: boolean;
  /** Called with what comes of it before its empty lists and maps are gone, where it has any. */
  readonly sent?: (whole: KubeObject) => void;
}

export interface PatchDocument {
  readonly type: Exclude<PatchType, 'apply'>;
  readonly document: JsonValue;
  readonly fieldValidation: FieldValidation;
  /** Duplicate fields of the document, told with what else is wrong with the fields. */
  readonly strictErrors?: readonly string[] | undefined;
  readonly schema: MessageSchema;
  /** What is wrong with the version and kind that the patched object names, or the schema by which that is read; absent where nobody looks at them. */
  readonly names?: ((patched: JsonObject, judge: FieldsJudge) => NameFault | { readonly schema: MessageSchema }) | undefined;
  warn(text: string): void;
}

export interface Machinery {
  /** Keys in schema order, values in canonical text, unknown fields dropped. The same reference when nothing changes; what `known` shares is not looked at. */
  canonicalize(object: KubeObject, schema: MessageSchema, known?: KubeObject, keeps?: Keeps): KubeObject;
  /** The same of what was put together from objects that were read: nulls in users' own kinds stay, for their validation refuses them. */
  arrange(object: KubeObject, schema: MessageSchema, known?: KubeObject): KubeObject;
  /** Whether the object is the document that was read last, and canonical as it came. */
  wasRead(object: KubeObject, schema: MessageSchema): boolean;
  /** A document as its type, unknown fields dropped, or refused if strict. Throws DecodeError. */
  read(document: JsonValue, schema: MessageSchema, isStrict?: boolean): KubeObject;
  recordUpdate(live: KubeObject | undefined, next: KubeObject, ownership: FieldOwnership): KubeObject;
  /** Why managed fields cannot be read; undefined where they can. */
  ownersFault(entries: readonly ManagedFieldsEntry[]): string | undefined;
  /** How apply sees objects of a schema. */
  typeOf(schema: MessageSchema | undefined): TypeNode;
  /** Server-side apply; the object is canonical. Throws the statuses of conflicts and of what does not fit its type. */
  applyDocument(live: KubeObject | undefined, document: JsonValue, options: ApplyOptions): KubeObject;
  /** JSON, merge and strategic merge patches; empty lists and maps are kept. Throws the statuses upstream answers with. */
  patch(live: KubeObject, patch: PatchDocument): KubeObject;
}
