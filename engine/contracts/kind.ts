/**
 * A kind is one value in one file (law 3). Shared code never asks which kind it holds: it asks the kind. Everything optional
 * has the generic behaviour of upstream's registry when it is absent.
 */
import type { Answer, Question } from './questions.ts';
import type { Int64 } from '../base/int64.ts';
import type { AccessOracle } from './access.ts';
import type { Ratchet } from './ratchets.ts';
import type { Visibility } from './release.ts';
import type { GatedFields } from '../apimachinery/gated-fields.ts';
import type { FieldErrorList } from '../apimachinery/field-errors.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import type { JsonObject, JsonValue } from '../base/json.ts';
import type { CertificateJudge } from './certificates.ts';
import type { DeleteOptions, Identity, Verb } from './request.ts';
import type { MessageSchema } from '../apimachinery/schema.ts';
import type { NameRule } from '../apimachinery/validation.ts';

/** What hooks may know of the request. Chance and time come from here. */
export interface StrategyContext {
  readonly identity: Identity;
  readonly nowMs: number;
  /** RFC 3339, second precision. */
  readonly nowText: string;
  readonly dryRun: boolean;
  /** Group and version of the request, where they are known: the stored version may be another. */
  readonly apiVersion?: string;
  /** Present on status, scale and other subresource writes. */
  readonly subresource?: string;
  /** Of the request, where it is one. */
  readonly verb?: Verb;
  newUid(): string;
  /** Five characters of upstream's safe alphabet. */
  randomSuffix(): string;
  /** Reads another stored object, e.g. a Namespace or a PriorityClass, without a request. */
  lookup(group: string, resource: string, namespace: string | undefined, name: string): KubeObject | undefined;
  /** The plural of a kind that is served in the version; undefined where none is. Absent where nothing serves (unit tests). */
  resourceOf?(group: string, version: string, kind: string): string | undefined;
  /** Feature gates in force. */
  featureEnabled(gate: string): boolean;
  /** Whether the release has come so far. */
  ratcheted(ratchet: Ratchet): boolean;
  /** Addresses and ports for services; absent where nothing allocates them (unit tests). */
  readonly services?: ServiceAllocator | undefined;
  /** Answers reviews of access; absent where nobody authorizes (unit tests). */
  readonly access?: AccessOracle;
  /** Judges certificates and requests for them; absent where nobody lends it (unit tests): then PEM alone is judged. */
  readonly certificates?: CertificateJudge | undefined;
}

export type IpFamily = 'IPv4' | 'IPv6';

/** Hands out what services share. `kinds/core/v1/service-allocation.ts` makes one over the stored services. */
export interface ServiceAllocator {
  /** Of the cluster's ranges, that of Services which say nothing first. */
  readonly families: readonly IpFamily[];
  /** Undefined when there is none left; a fault where none may be taken. A dry run is told the range's own, and takes nothing. */
  allocateClusterIp(family: IpFamily, holder: AddressHolder, dryRun: boolean): { readonly ip: string } | { readonly fault: string } | undefined;
  /** Undefined when the address is the holder's from now on, else upstream's words. A dry run asks for the range alone. */
  claimClusterIp(ip: string, holder: AddressHolder, dryRun: boolean): string | undefined;
  /** What was had can be had again; of others, or what is no address, nothing comes. */
  releaseClusterIps(ips: readonly string[]): void;
  /** A port that is neither taken nor in `besides`. */
  allocateNodePort(protocols: readonly string[], besides: ReadonlySet<number>): number;
  claimNodePort(port: number, protocol: string): string | undefined;
}

/** The Service that an address is for. */
export interface AddressHolder {
  readonly namespace: string;
  readonly name: string;
}

/** What the address of a write says; empty where it says nothing (a name on create). */
export interface WritePlace {
  readonly namespace: string;
  readonly name: string;
}

export interface TableColumn {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  readonly format?: string;
  /** 0 is always shown, 1 with `-o wide`. */
  readonly priority?: number;
  readonly description?: string;
}

export interface TableContext {
  readonly nowMs: number;
}

/** A subresource that reads and writes (a part of) the object itself: `status`, `approval`, `resize`, `ephemeralcontainers`, `finalize`. */
export interface SubresourceDefinition<T extends KubeObject> {
  readonly verbs: readonly Verb[];
  /** The object to store: the new value's part that this subresource owns, the old value's rest. Default for `status`: status from new, the rest (but resourceVersion, managedFields and, as upstream, labels/annotations where it allows them) from old. */
  prepareForUpdate?(next: T, old: T, context: StrategyContext): T;
  validateUpdate?(next: T, old: T, context: StrategyContext): FieldErrorList;
  /** What is told of a write through it; nothing of what `warnings` of the kind tells. */
  warnings?(next: T, old: T): readonly string[];
  /** Top-level paths whose ownership a write through it must not record, e.g. [['spec']]. */
  readonly resetFields?: readonly (readonly string[])[];
  /** It tells what is, not what is wanted: no generation begins with it, and the kind's metadata checks of a status hold. */
  readonly tellsState?: true;
  /** No Table may be asked for. */
  readonly hasTable?: false;
  /** Group, version and kind of body and answer, where it is not the object's own (`Scale`, `Eviction`, `Binding`). */
  readonly bodyKind?: { readonly group: string; readonly version: string; readonly kind: string };
}

/** Reads and writes replicas for the `scale` subresource. */
export interface ScaleDefinition<T extends KubeObject> {
  /** Whose Scale it is, where it is not that of autoscaling/v1. */
  readonly body?: { readonly group: string; readonly version: string };
  /** Discovery says its kind without group and version, and what is wrong with it is said of one in the group of the object. */
  readonly unnamed?: true;
  /** Undefined where the object may have none, and has none. */
  getReplicas(object: T): number | undefined;
  getStatusReplicas(object: T): number;
  /** Selector in text form. */
  getSelector(object: T): string;
  setReplicas(object: T, replicas: number): T;
  /** Why no Scale can be made of the object: what stands where numbers or texts belong. */
  fault?(object: T): string | undefined;
  /** Where the object has its replicas; default spec.replicas. */
  readonly replicasPath?: readonly string[];
  /** Of users' own kinds: where their replicas are, as it is told. What of a Scale is wrong is said of the object that it scales, and nobody may apply one. */
  readonly customPath?: string;
}

/** What whoever converts by asking needs. */
export interface ConversionAsker {
  /** The answers, when they are there; else the request ends here and begins again with them. */
  askAll(questions: readonly Question[]): readonly Answer[];
  lookup(group: string, resource: string, namespace: string | undefined, name: string): KubeObject | undefined;
  stored(prefix: string): readonly KubeObject[];
  /** A whole number below `below`. */
  draw(below: number): number;
}

export interface ObjectConversion {
  /** All of them, none of which is of that version, in one question. Throws StatusError (500). */
  convert(objects: readonly KubeObject[], apiVersion: string, asker: ConversionAsker): readonly KubeObject[];
}

/**
 * Checks of metadata in the order in which they tell their faults: `m` as a whole, `u` as an update; in capitals with core's rule besides, by which a
 * finalizer is a standard one or has a domain. A fault that several of them find stands as often among the causes.
 */
export interface MetaChecks {
  /** Default `M`; without any it is the registry that looks, when nothing else is wrong. */
  readonly create?: '' | 'm' | 'M';
  /** Default `U`. What stands behind a space is told where `validateUpdate` has `metaPlace`, or at the end. */
  readonly update?: string;
  /** Of the status subresource; default `U`. */
  readonly status?: string;
  /** A write of the status leaves labels, annotations, finalizers and owners as they were. */
  readonly keptByStatus?: boolean;
}

export interface FieldLabels {
  /** Not even metadata.namespace may be asked for. */
  readonly withoutNamespace?: true;
  /** How any other label is refused; default `field label not supported: LABEL`. */
  refusal?(label: string, apiVersion: string): string;
}

/**
 * How a strategy judges an update, step by step, after the registry has looked at the metadata: what several steps find is told several times.
 * `M`, `m`: the metadata as of a new object, `U`, `u`: as a change of it, with or without finalizers. `s`: what would be found in a new object,
 * `a`: what `validateUpdate` finds, `c`: what it finds besides `s`, `d`: the same, also what it finds more often.
 */
export interface UpdateChecks {
  readonly update: string;
  /** Of a write that goes through a subresource with rules of its own; default `Ua`. */
  readonly part?: string;
}

/** What is stored beside an object that is looked at, by key below `/registry/`, e.g. `minions/pool-0`. */
export type StoredBeside = (key: string) => KubeObject | undefined;

export interface KindDefinition<T extends KubeObject = KubeObject> {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** Default `${kind}List`. */
  readonly listKind?: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames?: readonly string[];
  /** Verbs that nobody outside may use; not in discovery. */
  readonly insideVerbs?: readonly Verb[];
  /** Versions of bodies that are posted to subresources, where a release has others than now. */
  readonly bodyVersions?: { readonly [subresource: string]: string };
  readonly categories?: readonly string[];
  readonly namespaced: boolean;
  /** Name in the schema registry, or the schema itself for kinds of our own groups. */
  readonly schema: string | MessageSchema;
  /** Further messages that `schema` names, for kinds of our own groups. */
  readonly schemas?: readonly MessageSchema[];
  /** Key prefix below /registry/, as upstream lays keys out, e.g. `pods`, `minions`, `services/specs`. Kinds that share it share storage. */
  readonly storagePrefix: string;
  /** False where reads go by upstream's watch cache: limits and revisions are heeded always. */
  readonly isCached?: boolean;
  /** For a version that is not the stored one: which is, and how to convert. */
  readonly storage?: {
    readonly version: string;
    readonly group?: string;
    toStorage(object: T): KubeObject;
    fromStorage(object: KubeObject): T;
    /** Fields stand in other places there: what is empty in what was sent is found where it is stored. */
    readonly movesFields?: true;
  };
  /** The version that upstream stores, where nobody but discovery tells of it. */
  readonly storedVersion?: string;
  /** Who makes one version of another by asking; without anybody to ask versions are as `storage` and `readStored` have them. */
  readonly conversion?: ObjectConversion;
  /** Its definition is being deleted: discovery lists no verbs that write objects. */
  readonly isGoing?: true;
  /** Writes are prepared and judged in the version of the request, and not in the stored one. */
  readonly isJudgedAsSent?: boolean;
  /** Served only where this feature gate is on. */
  readonly gate?: string;
  /** Fields that a feature gate allows. */
  readonly gatedFields?: readonly GatedFields[];
  /** What is stored may have been written under an earlier shape of a custom kind: as it is now. The same reference when it is so. */
  readStored?(object: KubeObject): T;
  /** Why what is stored cannot be read any more: it is of a version that is gone. */
  unreadable?(stored: KubeObject): string | undefined;
  /** Tells apart what wire forms were made of one stored object while its kind changed. */
  readonly edition?: string;
  /** Default: all of get, list, watch, create, update, patch, delete, deletecollection. */
  readonly verbs?: readonly Verb[];
  /** Kinds that are not stored (TokenReview, SubjectAccessReview …): what POST answers. */
  readonly createOnly?: (object: T, context: StrategyContext) => T;

  /** Fills defaults. Returns the same reference when there is nothing to fill; unchanged subtrees are shared. */
  defaults?(object: T): T;
  /** Defaults that follow from gates or the time, after the others: whoever writes owns them as she owns those. */
  defaultsHere?(object: T, here: Pick<StrategyContext, 'nowText' | 'featureEnabled' | 'ratcheted'>): T;
  prepareForCreate?(object: T, context: StrategyContext): T;
  /** Must carry over what clients cannot change (status of a kind with a status subresource). Generation is bumped by `specChanged`. */
  prepareForUpdate?(next: T, old: T, context: StrategyContext): T;
  /**
   * Throws where the writer may not write just this, though the authorizer let her write here: roles that grant more than she holds.
   * Called after mutating admission and before anything is looked up or validated; `old` is absent on create.
   */
  guard?(next: T, old: T | undefined, place: WritePlace, context: StrategyContext): void;
  /** What is wrong in this version alone, and cannot be seen in the stored one. */
  versionFaults?(object: T, context: StrategyContext): FieldErrorList;
  /** What is told of the stored version with what is wrong in this one alone, in order; absent: this one's last. */
  withVersionFaults?(told: FieldErrorList, found: FieldErrorList): FieldErrorList;
  validate?(object: T, context: StrategyContext): FieldErrorList;
  validateUpdate?(next: T, old: T, context: StrategyContext): FieldErrorList;
  /** Warnings for the client (`Warning: 299`). */
  warnings?(object: T, old: T | undefined, context: StrategyContext): readonly string[];
  /** What is told of an update that is refused: what judging it came upon besides its faults. */
  refusalWarnings?(next: T, old: T): readonly string[];
  /** What a write that passed brings in order before it is stored: upstream's Canonicalize, and defaults that appear once it is read again. */
  settle?(object: T, context: StrategyContext): T;
  /** How metadata.name is validated; default DNS-1123 subdomain. */
  readonly nameValidation?: NameRule;
  /** The same, where a gate decides. */
  nameRule?(context: Pick<StrategyContext, 'featureEnabled'>): NameRule;
  /** What else is wrong with a name, or with what one is generated from, which are judged alike. */
  nameFaults?(name: string, object: T): readonly string[];
  /** What a name is generated from is not judged. */
  readonly takesAnyGenerateName?: true;
  /** What has no name gives itself one, whatever it could be generated from. */
  readonly namesItself?: true;
  /** What a name would be generated from is the name. */
  readonly namesAsGiven?: true;
  /** How upstream's strategy of the kind looks at metadata, beside the registry, which does so for all. */
  readonly metaChecks?: MetaChecks;
  /** Why an object of the name is not deleted when it is named, whoever asks. */
  undeletable?(name: string): string | undefined;
  /** Whether a deletion answers the object; absent: as upstream's storage does now. */
  readonly returnsDeleted?: boolean;
  /** What else an update changes once the object is written: not for a subresource, nor in a dry run. */
  afterUpdate?(next: T, old: T, context: StrategyContext): void;
  /** What goes with an object that is gone, beside what has its name: not in a dry run. */
  afterDelete?(object: T, context: StrategyContext): void;
  /** What of the same name is deleted with it. */
  readonly takesAlong?: { readonly group: string; readonly plural: string };
  /** A list of it is there though nothing is in it, where others are null. */
  readonly listsNothing?: boolean;
  /** In releases that judged in several steps. */
  readonly updateChecks?: UpdateChecks;
  /** Clients do not see it when false, though it is counted. */
  readonly showsGeneration?: boolean;
  /** Kinds without generation (ConfigMap, Secret, Event …) say false. Default true when the schema has `spec`. */
  readonly hasGeneration?: boolean;
  /** Whether a write that is no status write changed what is wanted; default: `spec`, or all but status where there is none. */
  desiredChanged?(next: T, old: T): boolean;
  /** An empty list or map that is sent where nothing is stored counts as a change of what is wanted. */
  readonly desiredCountsEmpties?: boolean;
  /** Whether reading an object, in its stored form, from a request makes another one of it than storage has: whatever it says, what is wanted has changed. */
  changesByReading?(object: KubeObject): boolean;
  /** Why an object of this version, as it was read, cannot be made into what is stored. A body is refused for it as one that cannot be read, a patch as for a defect. */
  misreads?(object: KubeObject): string | undefined;
  /** Paths of bytes that storage tells from absent ones where they are empty, as it does of protobuf; a list on the way is each of its items. */
  readonly emptyBytes?: readonly (readonly string[])[];
  /** An update is judged with the revision that was sent, which may be none. */
  readonly judgedAsSent?: boolean;
  /** Paths of lists that defaults leave alone when they are sent empty: they are judged as they were sent. */
  readonly sparedByDefaults?: readonly (readonly string[])[];
  /** What stands there counts in new objects alone: an update leaves it as it was made. */
  readonly sparedWhenNew?: true;
  /** Annotations that stand for fields of upstream's internal type: metadata without the object are without them. */
  readonly fieldAnnotations?: readonly string[];
  /**
   * Fields of this version that a gate allows, where it is not the stored one: they go before it becomes that, and saying one is a change of what is wanted
   * all the same.
   */
  readonly versionGates?: readonly GatedFields[];
  /** A change of labels counts as a change of what is wanted. */
  readonly generationCountsLabels?: boolean;
  /** Whether fields count for the generation that a gate takes away then. */
  readonly generationCountsGated?: boolean;
  /** PUT to a missing name creates (upstream AllowCreateOnUpdate). */
  readonly allowCreateOnUpdate?: boolean;
  /** An update makes what is not there only where it is one of the status. */
  readonly createsByStatusAlone?: boolean;
  /** PUT without resourceVersion overwrites (upstream AllowUnconditionalUpdate); default true. */
  readonly allowUnconditionalUpdate?: boolean;

  readonly statusSubresource?: boolean | SubresourceDefinition<T>;
  /** Top-level paths that a write of the object itself does not own; default: status, where the kind has one apart. */
  readonly resetFields?: readonly (readonly string[])[];
  readonly scale?: ScaleDefinition<T>;
  readonly subresources?: { readonly [name: string]: SubresourceDefinition<T> };

  /** Graceful deletion: the grace period in force, or undefined for immediate removal (upstream CheckGracefulDelete). */
  gracefulDelete?(object: T, options: DeleteOptions, context: StrategyContext): Int64 | undefined;
  /** What the first delete of an object makes of it, and no more, where somebody has to clear up after it; upstream's own Delete of definitions. */
  markForDeletion?(object: T, context: StrategyContext): T;
  /** Called when a graceful deletion begins; e.g. a namespace enters Terminating. */
  beginDelete?(object: T, context: StrategyContext): T;
  /** Finalizers that hold the object besides metadata.finalizers (namespaces). */
  hasOtherFinalizers?(object: T): boolean;
  /** An update completes a deletion only where the object says that no grace is left: else somebody deletes it once more. */
  readonly goesOnceGraceIsOver?: boolean;
  /** Whether what is told of the object as it was created has defaults that were not stored: its first write makes a revision though nothing changes. */
  isStoredOtherwise?(object: T): boolean;
  /** Whether the object, as it was sent, says less than defaults fill in, and is stored so all the same: what is read of it says all. */
  leavesDefaults?(object: T): boolean;
  /** What an unset propagationPolicy means; default Background. */
  /** What `orphanDependents: false` asks for; default Background. */
  readonly unorphanedPropagation?: 'Foreground';
  readonly defaultPropagation?: 'Background' | 'Orphan' | 'Foreground' | 'Unsupported';

  /** Beyond metadata.name and metadata.namespace. Values as text. */
  readonly selectableFields?: { readonly [label: string]: (object: T) => string };
  /** Under which state the overview counts it, of kinds that it counts by state. */
  readonly stateOf?: (object: T, stored: StoredBeside) => string;
  /** As what the map of the cluster counts it. */
  readonly lookOf?: (object: T, stored: StoredBeside) => string;
  /** What an object says of which nobody said anything, as bookmarks are: upstream has a number in mind where the wire has none or one. */
  readonly unsaid?: JsonObject;
  /** The same of annotations that stand for fields. */
  readonly unsaidAnnotations?: { readonly [name: string]: string };
  /** Where upstream knows the labels of fields by a function of the kind's own. */
  readonly fieldLabels?: FieldLabels;
  readonly columns?: readonly TableColumn[];
  /** No Table may be asked for when false. */
  readonly hasTable?: boolean;
  /** Cells in the order of `columns`. */
  row?(object: T, context: TableContext): readonly JsonValue[];
  /** Of rows in a Table of many; that of the list when absent. */
  rowOrder?(a: T, b: T): number;
  /** Sent with every answer as a Warning header, e.g. `v1 ComponentStatus is deprecated in v1.19+`. */
  readonly deprecation?: string;
  /** Who sees it, as the release says; everybody when absent. */
  readonly visibility?: Exclude<Visibility, 'listed'>;
  /** Descriptive data served in OpenAPI `x-` extensions or docs; names and numbers only. */
  readonly extensions?: JsonObject;
}

/** Checks what can be checked of one definition and returns it. */
export function defineKind<T extends KubeObject>(definition: KindDefinition<T>): KindDefinition<T> {
  if (definition.kind === '' || definition.plural === '' || definition.storagePrefix === '') {
    throw new Error(`kind ${definition.group}/${definition.version} ${definition.kind} lacks a name`);
  }
  return definition;
}

/** Whether users added the kind: a server of its own serves such ones upstream, which answers otherwise here and there. */
export function isCustom({ schema }: Pick<KindDefinition, 'schema'>): boolean {
  return typeof schema !== 'string' && schema.custom !== undefined;
}
