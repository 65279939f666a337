/**
 * A release is a value: what the cluster's configuration names and everybody asks, and nobody compares with a number. See
 * `engine/releases/<version>/`.
 */
import type { DaemonOptions } from './daemon-options.ts';
import type { GatedFields } from '../apimachinery/gated-fields.ts';
import type { GoForms } from '../apimachinery/go-print.ts';
import type { FieldSchema, MessageSchema } from '../apimachinery/schema.ts';
import type { NameRule } from '../apimachinery/validation.ts';
import type { Status } from '../apimachinery/status.ts';
import type { JsonValue } from '../base/json.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import type { StrategyContext, TableColumn, UpdateChecks } from './kind.ts';
import type { EarlierFault, FoundFault } from './release-faults.ts';
import type { Verb } from './request.ts';
import type { Ratchet } from './ratchets.ts';
import type { GatedPolicy } from './release-policy.ts';
import type { ColumnFields, ReleaseOpenApi, ReleasePaths, ReleaseSwagger } from './release-documents.ts';

/** A feature gate as a release knows it. */
export interface FeatureGate {
  readonly name: string;
  readonly default: boolean;
  /** Upstream's word; empty for what is generally available. */
  readonly stage: 'ALPHA' | 'BETA' | '' | 'DEPRECATED';
  /** It cannot be switched any more. */
  readonly locked?: true;
  /** Of a release gone by: it is on, and options and metrics do not know it. */
  readonly gone?: true;
  /** It cannot be on without these. */
  readonly needs?: readonly string[];
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

/** What a field may not say while a gate is off. */
export interface GatedRefusal {
  readonly gate: string;
  /** The reason; of a map, that for a key. Undefined: the key may stand there. */
  readonly why: string | ((key: string) => string | undefined);
  /** This value alone. */
  readonly value?: string;
  /** The fault names the key. */
  readonly named?: true;
  /** The fault stands beside the owner, below this. */
  readonly in?: string;
  /** The fault names the list that the owner is in, and not its place there. */
  readonly ofList?: true;
}

/** A field that is gone. */
export interface EarlierField {
  readonly field: FieldSchema;
  /** The one that stood behind it; absent: it stood last. */
  readonly before?: string;
  /** The gate that it needs; absent: it is always there. */
  readonly gate?: string;
}

/** Since when there are fields and values, told from the present ones. Messages under their OpenAPI names. */
export interface ReleaseFields {
  /** Fields that came after the release: message → names. Clients neither see nor set them. */
  readonly later: { readonly [message: string]: readonly string[] };
  /** Fields that are gone, by message, and the messages that they hold. */
  readonly earlier: {
    readonly fields: { readonly [message: string]: readonly EarlierField[] };
    readonly messages: readonly MessageSchema[];
  };
  /** Fields that it writes even when they are zero, where they are left out now: message → names. */
  readonly writtenZeros: { readonly [message: string]: readonly string[] };
  /** Fields that are there when a gate is on: message → name → gate. */
  readonly gated: { readonly [message: string]: { readonly [field: string]: string } };
  /** Fields that are refused while a gate is off: message → name → gate and reason. */
  readonly refused: { readonly [message: string]: { readonly [field: string]: GatedRefusal | readonly GatedRefusal[] } };
  /** Texts that were judged otherwise: message → name → what is wrong with one. */
  readonly judged: { readonly [message: string]: { readonly [field: string]: (text: string) => readonly string[] } };
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
  /** What becomes of the present cell. */
  readonly says?: (cell: JsonValue, object: KubeObject) => JsonValue;
  /** How many there are at the path. */
  readonly counts?: true;
}

/** What is said now, all of it or a pattern with the flag `g`, and what a release said in its place. */
export type Wording = readonly [now: string | RegExp, then: string];

/** What its kubelets say otherwise than those of now. */
export interface KubeletSpeech {
  /** Of events and statuses; `{pod}`, `{namespace}`, `{name}` and `{container}` stand for whom they speak of. */
  readonly words: readonly Wording[];
  /** The runtime by which they call containers and images. */
  readonly runtime: string;
}

/** What of a kind is another than now. */
export interface ReleaseKind {
  /** `none`: no Table can be asked for. `default`: name and time of creation, as for kinds that define none. */
  readonly columns?: readonly ReleaseColumn[] | 'default' | 'none';
  /** Listed under none when false. */
  readonly categories?: false;
  /** Whether clients see `metadata.generation`; it is counted all the same. */
  readonly showsGeneration?: false;
  /** Versions of bodies that are posted to subresources, where they are others than now. */
  readonly bodyVersions?: { readonly [subresource: string]: string };
  /** Versions in which a deletion that does not say otherwise leaves the dependents. */
  readonly orphansIn?: readonly string[];
  /** What the release's components alone do with them; nobody outside may. */
  readonly insideVerbs?: readonly Verb[];
  /** Subresources that came later. */
  readonly laterSubresources?: readonly string[];
  /** Paths of fields that are filled now where nothing was given, and were left alone; `*` is each item of a list. */
  readonly laterDefaults?: readonly (readonly string[])[];
  /** What of an object that is given was lost before the defaults came, in some version. */
  readonly loses?: (object: KubeObject, version: string) => KubeObject;
  /** What was filled in and is left alone now. */
  readonly fills?: (object: KubeObject) => KubeObject;
  /** Labels of fields that nobody could ask for; a kind that has no others of its own is as any kind. */
  readonly laterLabels?: readonly string[];
  /** A label of a field that could be asked for in some versions, where nothing was, and how others were refused there. */
  readonly emptyLabel?: {
    readonly label: string;
    readonly versions: readonly string[];
    readonly refusal: (label: string, groupVersion: string) => string;
  };
  /** Further fields that a feature gate allows. */
  readonly gatedFields?: readonly GatedFields[];
  /** As the same of `KindDefinition`. */
  readonly versionGates?: readonly GatedFields[];
  /** Whether a deletion answers the object that is gone; else a Status. */
  readonly returnsDeleted?: boolean;
  /** As the same of `KindDefinition`. */
  readonly listsNothing?: true;
  /** As the same of `KindDefinition`. */
  readonly changesByReading?: (object: KubeObject) => boolean;
  readonly judgedAsSent?: true;
  /** As the same of `KindDefinition`, by version. */
  readonly misreads?: (object: KubeObject, version: string) => string | undefined;
  /** What was wrong in an object, as it is stored, that is not wrong now. */
  readonly wrongThen?: (object: KubeObject, context: Pick<StrategyContext, 'featureEnabled'>) => readonly EarlierFault[];
  /** An update of the status was judged by that too. */
  readonly judgesStatusThen?: true;
  readonly nameValidation?: NameRule;
  /** What names are generated from is judged, where it is not now. */
  readonly judgesGenerateName?: true;
  readonly namesItself?: true;
  readonly createsByStatusAlone?: true;
  readonly goesOnceGraceIsOver?: true;
  readonly isStoredOtherwise?: (object: KubeObject) => boolean;
  readonly leavesDefaults?: (object: KubeObject, version: string) => boolean;
  /** How its strategy went through an update; absent: as `metaChecks` of the kind say. */
  readonly updateChecks?: UpdateChecks;
}

/** What controllers of a release do, where others do something else. */
export interface ControllerTraits {
  /** Pods of jobs carry a finalizer until their end was counted; else those that are there are counted anew at each look. */
  readonly tracksJobs: boolean;
  /** Each CronJob is looked at when its time has come; else all of them every ten seconds. */
  readonly timesCronJobs: boolean;
  /** Events of a Deployment say from which size to which it scales; else to which. */
  readonly tellsOldSizes: boolean;
  /** Who takes a pod away says so in its condition DisruptionTarget. */
  readonly marksDisruptions: boolean;
  /** Endpoints say who keeps them and which change they answer to. */
  readonly signsEndpoints: boolean;
  /** Pods of a StatefulSet carry their ordinal as a label. */
  readonly labelsOrdinals: boolean;
  /** Daemons live through a shortage of process ids. */
  readonly daemonsTolerateFewPids: boolean;
  /** Templates in revisions are as Go writes them: with a time of creation that is null. */
  readonly writesNullCreation: boolean;
  /** A budget counts what nobody controls; else it cannot be worked out. */
  readonly countsUnmanagedPods: boolean;
  /** A budget counts on pods of any owner that has the scale subresource. */
  readonly budgetsFollowScales: boolean;
  /** A budget has a condition that says why it allows nothing. */
  readonly explainsBudgets: boolean;
  /** A condition of a definition that turns says when; else it knows no time from then on. */
  readonly timesTurnedConditions: boolean;
  /** Events of a StatefulSet begin with a capital letter. */
  readonly capitalizesDeeds: boolean;
  /** A StatefulSet says that it makes a pod anew because it failed. */
  readonly tellsFailedPods: boolean;
  /** Nothing of a namespace goes before its pods have gone. */
  readonly emptiesPodsFirst: boolean;
  /** A pod that has ended stands behind no service; else that is so where it will not run again. */
  readonly dropsEndedPods: boolean;
  /** Annotations of pods say which of them a ReplicaSet gives up first. */
  readonly heedsDeletionCost: boolean;
  /** EndpointSlices are everybody's, and what there is to say of them is told. */
  readonly tellsOfSlices: boolean;
  /** Each namespace has the CA in a ConfigMap. */
  readonly publishesRootCa: boolean;
  /** What the kubelet alone can vouch for: conditions of a node that has fallen silent. */
  readonly kubeletConditions: readonly string[];
  /** Drivers of CSI have come in the place of volume plugins in the tree: what no plugin does is somebody's outside, and claims name him twice. */
  readonly leavesVolumesToDrivers: boolean;
  /** A namespace whose content is gone is deleted once more by its controller, so that one that is held says how long it has to go. */
  readonly deletesEmptiedNamespaces: boolean;
  /** Whom Events about pods that a taint evicts come from. */
  readonly taintEventSource: string;
  /** Names in limits of quotas under which objects of another group are counted too: name → the resource. */
  readonly quotaNames: { readonly [name: string]: { readonly group: string; readonly resource: string } };
  /** How long a node must be gone before its pods are collected. */
  readonly orphanQuarantineMs: number;
  /** How often load balancers are told which nodes are ready; 0: with each change, and all that are not marked. */
  readonly balancerNodesMs: number;
  /** A Service keeps a finalizer until its load balancer has gone; else it goes at once, its load balancer after it, and Events tell what of it has changed. */
  readonly holdsBalancedServices: boolean;
  /** Nodes are tainted by their conditions, and those that are down so that pods go, in any case; else gates decide. */
  readonly taintsInAnyCase: boolean;
  /** A node is tainted by what a pass has found written, so one that falls silent by the pass after that which says so. */
  readonly taintsWithNextPass: boolean;
  /** A node that is down is tainted once: a taint that somebody takes off does not come back before the node has been well. */
  readonly taintsOnce: boolean;
  /** Pods hear by an Event that their node is not ready. */
  readonly tellsPodsOfNodes: boolean;
  /** Pods of a node that somebody has put out of service are deleted by force. */
  readonly heedsOutOfService: boolean;
  /** A ReplicaSet notes in its history that a Deployment gave it another annotation; else only that it took a new revision. */
  readonly notesAnnotations: boolean;
  /** Endpoints that somebody deletes come back; else they do when something else changes. */
  readonly restoresEndpoints: boolean;
  /** A pod whose creation timed out is taken for made: it may still wait for initializers, and is tried again when nobody has seen it for long. */
  readonly countsTimeouts: boolean;
  /** A StatefulSet that goes takes back the revisions that were to stay, and they go with it. */
  readonly takesRevisionsAlong: boolean;
  /** A bootstrap token goes when its time is over; else when its Secret, or the controller, comes along after that. */
  readonly timesTokenEnds: boolean;
  /** A metric that nothing can be said of ends a look at an autoscaler; else the others may scale up. */
  readonly failsAtFirstMetric: boolean;
  /** Services that are names outside have Endpoints of their pods all the same. */
  readonly mirrorsExternalNames: boolean;
  /** How long kubelets of more than 10,000 nodes may keep what they have read of Secrets and ConfigMaps, in seconds. */
  readonly farthestTtl: number;
  /** Budgets and StatefulSets are looked at as often as this, whatever happens; 0: when something happens. */
  readonly resyncMs: number;
}

/** Times that no option sets. */
export interface ReleaseTiming {
  /** The longest wait before a Job replaces a failed pod. */
  readonly jobBackoffMaxMs: number;
  /** A kubelet reports a status without changes as often as this. */
  readonly nodeStatusReportMs: number;
  /** Kubelets look at a pod again when the back-off of its container is over, else every 10 s to 15 s. */
  readonly waitsForBackoffs: boolean;
}

/** What was asked, for the words of a refusal. */
export interface RefusedRequest {
  readonly method: string;
  readonly path: string;
  /** As it came, without `?`. */
  readonly query: string;
  /** Empty where there is none. */
  header(name: string): string;
  /** As text; of a body that is none, what comes out. */
  body(): string;
}

/** Packages whose comments say what types and fields are for: of release 1.36, of 1.30 and of 1.17. */
export type DescribingPackage = 'kubernetes-models' | 'kubernetes-types' | 'kubernetes-types-1.17';

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
  /** What discovery says of each resource: its name in the singular; a hash that tells when it is stored in another version. And whether it says all in one document. */
  readonly discovers: { readonly singularNames: boolean; readonly storageVersionHashes: boolean; readonly aggregated: boolean };
  readonly fields: ReleaseFields;
  /** Whose words are said of types and fields: of each the first's that has some. */
  readonly describedBy: readonly DescribingPackage[];
  /** Groups and versions (`apps.v1beta1`) that those do not know any more: whose types of the same names are heard then. */
  readonly describedElsewhere?: { readonly [groupVersion: string]: readonly string[] };
  /** By resource: `pods`, `jobs.batch`; whatever the version. */
  readonly kinds: { readonly [resource: string]: ReleaseKind };
  /** Whether clients may say what becomes of unknown fields (`fieldValidation`), and hear of them. They are dropped in silence otherwise. */
  readonly judgesUnknownFields: boolean;
  /** Whether a `timeout` in a query that is no duration is refused; it is as good as none otherwise. */
  readonly judgesTimeouts: boolean;
  /** Whether PATCH takes what server-side apply sends. */
  readonly servesApply: boolean;
  /** Parameters of queries that came later: nobody reads them. */
  readonly laterQueries: readonly string[];
  /** Before they were stable: Tables and partial metadata have meta.k8s.io/v1beta1 only, and watches have none. */
  readonly hasBetaFormsOnly?: true;
  /** Whether a form that is not there is refused before anything is done; else when the answer is to be written. */
  readonly negotiatesFirst: boolean;
  /** Whether the query of a DELETE may name the uid and the version that the object has to have. */
  readonly deletesByQuery: boolean;
  /** Ages of users' kinds are told in one unit. */
  readonly tellsAgesInOneUnit: boolean;
  /** Whether chunks say how much is left. */
  readonly countsRemaining: boolean;
  /** Its scheduler goes by a policy of predicates and priorities; else by profiles of plugins. */
  readonly schedulesByPolicy: boolean;
  /** Of refusals, as clients read them; one after the other. */
  readonly words: readonly Wording[];
  /** Where words alone are not enough: what becomes of a refusal, before its words change. */
  readonly retell?: (status: Status, request: RefusedRequest, featureEnabled: (gate: string) => boolean) => Status;
  /** Whether it looked for a fault that is found now; absent: for each. */
  readonly judges?: (fault: FoundFault) => boolean;
  readonly ratchets: { readonly [ratchet in Ratchet]: boolean };
  /** Whether objects and lists carry their path in `metadata.selfLink`. */
  readonly selfLinks: boolean;
  /** Whether `export=true` on a read is answered. */
  readonly exports: boolean;
  /** A collection of which nothing was deleted is answered with a list that is null. */
  readonly deletesNothingAsNull: boolean;
  /** Whether answers carry a Warning where there is something to say, of deprecated versions among it. */
  readonly warnsOfDeprecation: boolean;
  /** Whether every answer carries an id and says that it is nobody's to keep; else only those of audited requests have an id. */
  readonly marksAnswers: boolean;
  readonly featureGates: readonly FeatureGate[];
  /** Whether `/metrics` tells which are on. */
  readonly metersGates: boolean;
  /** Names of the admission plugins that there are, in the order in which they are asked. */
  readonly admissionOrder: readonly string[];
  /** Those that are on unless an option says otherwise. */
  readonly admissionDefaults: readonly string[];
  /** What is said before why a plugin cannot begin. */
  readonly admissionFault: 'failed to apply admission' | 'failed to initialize admission';
  /** RBAC objects that exist from the first moment. */
  readonly bootstrapPolicy: readonly KubeObject[];
  readonly gatedRules: readonly GatedPolicy[];
  /** Flow schemas and priority levels that exist from the first moment beside the mandatory ones; absent: requests have no priorities. */
  readonly suggestedFlowControl?: readonly KubeObject[];
  /**
   * What the components of the cluster may do, where they speak to each other in other versions than the release has: roles and bindings
   * that nobody sees. Absent: what the bootstrap policy lets them.
   */
  readonly componentPolicy?: readonly KubeObject[];
  /** Absent: as now. */
  /** Versions by group that the server knows and does not serve from the start. */
  readonly unlistedVersions?: { readonly [group: string]: readonly string[] };
  readonly openApi?: ReleaseOpenApi;
  /** Where columns are described otherwise than now. */
  readonly columnFields?: ColumnFields;
  readonly paths?: ReleasePaths;
  readonly swagger?: ReleaseSwagger;
  /** How Go prints a pod template, which its hash is made of. */
  readonly podTemplateForms: GoForms;
  readonly timing: ReleaseTiming;
  readonly controllers: ControllerTraits;
  /** `restartCount` of a container rises no further: it counts dead containers, and no more of them are kept. Absent: it counts restarts. */
  readonly restartCountMax?: number;
  /** Absent: its kubelets speak as those of now. */
  readonly kubeletSpeech?: KubeletSpeech;
  /** Its API server knows who says a name and a password of a file. */
  readonly takesPasswords: boolean;
  /** Labels of nodes that go by another name in its manifests: name of now, name of then. Nodes carry both. */
  readonly formerNodeLabels?: readonly (readonly [label: string, former: string])[];
  /** The gate without which kubelets renew no leases and there is no namespace for them; absent where they always do. */
  readonly nodeLeaseGate?: string;
  /** How daemons read their options, and refuse them: as those of now do, or as those that Go 1.11 built. */
  readonly daemonFlags: 'present' | 'old';
  readonly daemonOptions?: DaemonOptions;
  /** How its YAML is read: whether `0o17` is a number. */
  readonly yaml: 'present' | 'old';
  /** Defaults of options that differ from release to release. */
  readonly flagDefaults: { readonly [flag: string]: string };
}
