/**
 * The door between the pipeline and admission plugins: what a plugin may know of a request, and the two calls of the chain.
 * Mirrors apiserver pkg/admission/interfaces.go.
 */
import type { TypeNode } from '../apimachinery/managed-fields/types.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import type { JsonObject, JsonValue } from '../base/json.ts';
import type { RandomStream } from '../base/random.ts';
import type { AccessAttributes, AccessDecision } from '../contracts/access.ts';
import type { Answer, Question } from '../contracts/questions.ts';
import type { RequestTime } from '../contracts/request-time.ts';
import type { DeleteOptions, Identity, WriteOptions } from '../contracts/request.ts';

export type AdmissionVerb = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

/** A resource in one of its versions, and the kind of what is sent to it. */
export interface AdmittedResource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly kind: string;
  /** Group and version of the kind, which are others for bodies such as Scale. */
  readonly kindGroup: string;
  readonly kindVersion: string;
}

/** Stored objects of one kind. */
export interface KindObjects {
  readonly isNamespaced: boolean;
  /** `namespace` is empty for those of the cluster. */
  list(namespace: string): readonly KubeObject[];
}

/** The forms that the object of a request can take. */
export interface ObjectForms {
  /** As the request names it. */
  readonly requested: AdmittedResource;
  /** Resources that store the same objects, in order of registration; the requested one among them. */
  equivalents(): readonly AdmittedResource[];
  convert(object: KubeObject, from: AdmittedResource, to: AdmittedResource): KubeObject;
  /** Objects of a kind that is served, in its version; undefined where there is no such kind. */
  objectsOf(apiVersion: string, kind: string): KindObjects | undefined;
  /** How a kind is addressed; undefined where there is no such kind. */
  resourceOf(apiVersion: string, kind: string): { readonly plural: string; readonly isNamespaced: boolean } | undefined;
  /** How apply sees objects of a form; undefined of bodies whose kind no document of its own group describes (`Scale`, `Eviction`). */
  typeOf(form: AdmittedResource): TypeNode | undefined;
  /** Why what a policy has made of what is sent to a subresource cannot become that again; absent where it can. */
  readonly stray?: string;
  /** Reads a document as such an object, with its defaults. Throws a DecodeError for one that is none, or, strictly, says what its type does not know. */
  read(document: JsonValue, as: AdmittedResource, isStrict?: boolean): KubeObject;
}

export interface AdmissionAttributes {
  readonly verb: AdmissionVerb;
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly resource: string;
  readonly subresource: string;
  /** Empty for cluster-scoped objects; the namespace's own name for namespaces. */
  readonly namespace: string;
  /** Empty while a generated name is not drawn yet. */
  readonly name: string;
  /** Absent on delete. */
  readonly object: KubeObject | undefined;
  /** Absent on create. */
  readonly oldObject: KubeObject | undefined;
  /** What the client's document makes of the object, with its empty lists and maps, where it has any. */
  sent?(): KubeObject | undefined;
  readonly options: WriteOptions | DeleteOptions;
  /** The same as an object of meta.k8s.io/v1. */
  readonly operationOptions: JsonObject | undefined;
  readonly identity: Identity;
  readonly dryRun: boolean;
  /** Objects below a storage prefix such as `limitranges/default`. */
  stored(prefix: string): readonly KubeObject[];
  /** A stream of chance. What an attempt draws counts only when its writes are kept. */
  random(name: string): RandomStream;
  /** The answer from outside, when it is there; else the request begins again when it is. The asker decides what silence means. */
  ask(question: Question): Answer;
  /** The same for several, which are put together. */
  askAll(questions: readonly Question[]): readonly Answer[];
  /** Of the request; webhooks share it. */
  readonly time: RequestTime;
  readonly forms: ObjectForms;
  /** Whether somebody may do something. */
  authorize(identity: Identity, attributes: AccessAttributes): AccessDecision;
  /** Reads another stored object. */
  lookup(group: string, resource: string, namespace: string | undefined, name: string): KubeObject | undefined;
  /** Writes the status of another stored object in the same attempt, as the API server itself; the object must be there. */
  updateStatus(group: string, resource: string, object: KubeObject): void;
  /** Creates another object in the same attempt, as the API server itself. Throws StatusError. */
  create(group: string, resource: string, object: KubeObject): void;
  /** Calls back when what the request wrote is kept. */
  whenKept(act: () => void): void;
  /** Whether this happens for the first time in the request, which begins anew with each answer. */
  isFirst(what: string): boolean;
  /** Adds a text for a `Warning: 299` header. */
  warn(text: string): void;
  /** Adds an annotation to the audit event, unless its key is there. */
  annotate(key: string, value: string): void;
}

/** Both throw StatusError to refuse. */
export interface AdmissionChain {
  /** Mutating plugins: the object as they want it, the same reference when they change nothing. On delete there is none. */
  admit(attributes: AdmissionAttributes): KubeObject | undefined;
  validate(attributes: AdmissionAttributes): void;
}

/** A chain of no plugins. */
export const admitAll: AdmissionChain = {
  admit: (attributes) => attributes.object,
  validate: () => {},
};
