/**
 * A release is a value: what the cluster's configuration names and everybody asks, and nobody compares with a number. See
 * `engine/releases/<version>/`.
 */
import type { GoForms } from '../apimachinery/go-print.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import type { TableColumn } from './kind.ts';

/** A feature gate as a release knows it. */
export interface FeatureGate {
  readonly name: string;
  readonly default: boolean;
  /** Upstream's word; empty for what is generally available. */
  readonly stage: 'ALPHA' | 'BETA' | '' | 'DEPRECATED';
  /** It cannot be switched any more. */
  readonly locked?: true;
}

/**
 * Who sees a resource: everybody in discovery; whoever asks for it directly; the components of the cluster alone. What is served to
 * nobody is not among the kinds of a cluster at all.
 */
export type Visibility = 'listed' | 'hidden' | 'internal';

/** Names of group versions are written as in apiVersion: `v1`, `apps/v1`. */
export interface ReleaseVersions {
  /** Resources that are listed, where not all are; what is not among them is internal. */
  readonly listed?: { readonly [groupVersion: string]: readonly string[] };
  /** Of releases gone by: served, left out of discovery and OpenAPI, answered with a warning. */
  readonly hidden: readonly string[];
  /** Served to nobody unless `--runtime-config` says so. */
  readonly off: readonly string[];
  /** Resources that the release does not know, whatever `--runtime-config` says: those of other releases. */
  readonly absent: { readonly [groupVersion: string]: readonly string[] };
}

/** Since when there are fields and values, told from the present ones. Messages under their OpenAPI names. */
export interface ReleaseFields {
  /** Fields that came after the release: message → names. Clients neither see nor set them. */
  readonly later: { readonly [message: string]: readonly string[] };
  /** Fields that it writes even when they are zero, where they are left out now: message → names. */
  readonly writtenZeros: { readonly [message: string]: readonly string[] };
  /** Fields that are there when a gate is on: message → name → gate. */
  readonly gated: { readonly [message: string]: { readonly [field: string]: string } };
  /** Values of closed sets that came later, or that a gate allows, and those that a refusal names: message → name → values. */
  readonly laterValues: {
    readonly [message: string]: {
      readonly [field: string]: { readonly later: readonly string[]; readonly known: readonly string[]; readonly gate?: string };
    };
  };
}

/** A column as a release prints it: the present one of the same name unless it says from where. */
export interface ReleaseColumn extends Omit<TableColumn, 'type'> {
  readonly type?: TableColumn['type'];
  /** What is at this path of the object. */
  readonly path?: string;
  /** How many there are at the path. */
  readonly counts?: true;
}

/**
 * Rules that were loosened or tightened some day; a release says of each whether it has come so far.
 * JobLabelPrefix: labels of jobs and their selector begin with `batch.kubernetes.io/` (the labels without it stay).
 * MutableDisruptionBudgets: the spec of a PodDisruptionBudget may change.
 * NamespaceNameLabel: a namespace carries its name as a label.
 * BareFinalizers: a finalizer need not be one of upstream's or have a domain.
 * BoundTokens: pods get tokens of their own; before, every service account had a Secret with one, which its pods mount.
 * StrictWebhooks: a webhook has a name of its own, says which reviews it reads, and that a dry run is safe.
 * ScaleTargetGroups: what an autoscaler scales is named with its group.
 * StructuralSchemas: a custom kind has a schema in each version, of an object, and unknown fields are dropped.
 */
export type Ratchet =
  | 'JobLabelPrefix'
  | 'MutableDisruptionBudgets'
  | 'NamespaceNameLabel'
  | 'BareFinalizers'
  | 'BoundTokens'
  | 'StrictWebhooks'
  | 'ScaleTargetGroups'
  | 'StructuralSchemas';

/** What is said now, all of it or a pattern with the flag `g`, and what a release said in its place. */
export type Wording = readonly [now: string | RegExp, then: string];

/** What of a kind is another than now. */
export interface ReleaseKind {
  /** `none`: no Table can be asked for. `default`: name and time of creation, as for kinds that define none. */
  readonly columns?: readonly ReleaseColumn[] | 'default' | 'none';
  /** Listed under none when false. */
  readonly categories?: false;
  /** Whether clients see `metadata.generation`; it is counted all the same. */
  readonly showsGeneration?: false;
  /** Subresources that came later. */
  readonly laterSubresources?: readonly string[];
  /** Paths of fields that are filled now where nothing was given, and were left alone. */
  readonly laterDefaults?: readonly (readonly string[])[];
}

/** Times that no option sets. */
export interface ReleaseTiming {
  /** The longest wait before a Job replaces a failed pod. */
  readonly jobBackoffMaxMs: number;
  /** A kubelet reports a status without changes as often as this. */
  readonly nodeStatusReportMs: number;
}

export interface Release {
  /** As the configuration names it: `1.36`. */
  readonly name: string;
  /** As nodes and user agents give it: `v1.36.3`. */
  readonly gitVersion: string;
  /** Members of `/version` that tell the release. */
  readonly version: { readonly [member: string]: string };
  readonly versions: ReleaseVersions;
  /** Groups whose place in discovery is another than the present one. */
  readonly groupPriorities: { readonly [group: string]: number };
  /** Versions whose place in their group is another than the present one. */
  readonly versionPriorities: { readonly [groupVersion: string]: number };
  /** What discovery says of each resource: its name in the singular; the version of a subresource's body, also where that is of the core group. */
  readonly discovers: { readonly singularNames: boolean; readonly coreVersions: boolean };
  readonly fields: ReleaseFields;
  /** By resource: `pods`, `jobs.batch`; whatever the version. */
  readonly kinds: { readonly [resource: string]: ReleaseKind };
  /** Whether clients may say what becomes of unknown fields (`fieldValidation`), and hear of them. They are dropped in silence otherwise. */
  readonly judgesUnknownFields: boolean;
  /** Whether PATCH takes what server-side apply sends. */
  readonly servesApply: boolean;
  /** Of refusals, as clients read them; one after the other. */
  readonly words: readonly Wording[];
  readonly ratchets: { readonly [ratchet in Ratchet]: boolean };
  /** Whether objects and lists carry their path in `metadata.selfLink`. */
  readonly selfLinks: boolean;
  /** Whether answers of deprecated versions carry a Warning. */
  readonly warnsOfDeprecation: boolean;
  readonly featureGates: readonly FeatureGate[];
  /** Names of the admission plugins that are on, in the order in which they are asked. */
  readonly admissionOrder: readonly string[];
  /** RBAC objects that exist from the first moment. */
  readonly bootstrapPolicy: readonly KubeObject[];
  /** Flow schemas and priority levels that exist from the first moment beside the mandatory ones; absent: requests have no priorities. */
  readonly suggestedFlowControl?: readonly KubeObject[];
  /**
   * What the components of the cluster may do, where they speak to each other in other versions than the release has: roles and bindings
   * that nobody sees. Absent: what the bootstrap policy lets them.
   */
  readonly componentPolicy?: readonly KubeObject[];
  /** How Go prints a pod template, which its hash is made of. */
  readonly podTemplateForms: GoForms;
  readonly timing: ReleaseTiming;
  /** `restartCount` of a container rises no further: it counts dead containers, and no more of them are kept. Absent: it counts restarts. */
  readonly restartCountMax?: number;
  /** The gate without which kubelets renew no leases and there is no namespace for them; absent where they always do. */
  readonly nodeLeaseGate?: string;
  /** Defaults of options that differ from release to release. */
  readonly flagDefaults: { readonly [flag: string]: string };
}
