/** What the parts of the nodes room share: machines and workers by name, and the ways out of the room. */
import type { Node } from '../api/core/v1/types.gen.ts';
import type { FaultPoints } from '../base/fault-points.ts';
import type { Random, RandomStream } from '../base/random.ts';
import type { TaskLoop } from '../base/task-loop.ts';
import type { EvictionTexts } from '../component-helpers/eviction-thresholds.ts';
import type { Client } from '../client/client.ts';
import type { EventRecorder } from '../client/event-recorder.ts';
import type { Informer, InformerFactory } from '../client/informer.ts';
import type { KubeletSpeech } from '../contracts/release.ts';
import type { PodTokens } from '../contracts/tokens.ts';
import type { PodWorker } from './kubelet/worker.ts';
import type { Machine, ShutdownGroup } from './machine.ts';
import type { ImageCatalog } from './runtime/image-catalog.ts';
import type { SharedParts } from './kubelet/shared-parts.ts';
import type { VolumeCaches } from './volume-caches.ts';
import type { LogRecord } from './runtime/log-buffer.ts';

export const componentName = 'kubelets';

export interface NodesOptions {
  /** Addresses of pods; each machine takes the next part, past the end of the range if there are more machines. */
  readonly clusterCidr?: string;
  /** A cloud provider says what a Node is: kubelets register it uninitialized and leave that to the cloud-node controller. */
  readonly cloud?: boolean;
  /** Size of a machine's part, 16 to 28; 24 without it. */
  readonly podCidrBits?: number;
  /** Pods that a machine takes unless its pool says otherwise. */
  readonly podsMax?: number;
  /** Renewed at a quarter of it. */
  readonly leaseDurationSeconds?: number;
  /** Of kubelets whose pool says nothing else. */
  readonly kubeletVersion?: string;
  /** How often a kubelet computes its status. */
  readonly statusUpdateMs?: number;
  /** How often it reports one without changes. */
  readonly statusReportMs?: number;
  /** Variables of a container may have any name that a ConfigMap allows; others are left out and told when false. */
  readonly relaxedVariableNames?: boolean;
  /** What kubelets of old releases did with volumes, where their gates say so. */
  readonly volumes?: VolumeRules;
  /** Where `restartCount` of a container ends; nowhere without it. */
  readonly restartCountMax?: number;
  /** What kubelets of old releases say otherwise. */
  readonly speech?: KubeletSpeech;
  /** Label → name under which nodes carry it too. */
  readonly formerNodeLabels?: readonly (readonly [label: string, former: string])[];
  readonly eviction?: EvictionOptions;
  readonly shutdown?: ShutdownOptions;
  readonly crashBackoff?: CrashBackoff;
  /** Kubelets look at a pod again when the back-off of its container is over, unless it is false: then every 10 s to 15 s. */
  readonly waitsForBackoffs?: boolean;
  /** Pods tell whether their sandbox stands (PodReadyToStartContainers), unless it is false. */
  readonly tellsSandbox?: boolean;
  /** A kubelet that begins anew takes no probe's word from before, and containers that have some are not ready until they are probed. */
  readonly forgetsProbes?: boolean;
  /** What nodes of other releases or with other gates could not do. */
  readonly declaredFeatures?: readonly string[];
  /** Machines have the CSI driver that ships with the cluster, and say so in a CSINode. */
  readonly csiDriver?: boolean;
  /** Its status is the only sign of life when false. */
  readonly renewsLeases?: boolean;
}

export interface VolumeRules {
  /** A path below a volume may speak of variables of the container; only one that says so may otherwise. */
  readonly expandsSubPaths: boolean;
  /** File systems grow while they are mounted; only when they are mounted anew otherwise. */
  readonly growsInUse: boolean;
  /** Disks of drivers can be had as block devices. */
  readonly mapsBlocks: boolean;
}

export const usualVolumeRules: VolumeRules = { expandsSubPaths: false, growsInUse: true, mapsBlocks: true };

/** `--eviction-*` and `--image-gc-*` of kubelets. */
export interface EvictionOptions extends EvictionTexts {
  readonly maxPodGraceSeconds: number;
  /** A condition stands for so long after it was last observed. */
  readonly pressureTransitionMs: number;
  readonly imageGcHighPercent: number;
  readonly imageGcLowPercent: number;
  /** Images younger than this are not collected. */
  readonly imageMinAgeMs: number;
}

/** How long pods have when their machine is shut down; none of it where nothing says so. */
export interface ShutdownOptions {
  /** `--shutdown-grace-period`, of which critical pods have the last part. */
  readonly graceMs: number;
  readonly criticalGraceMs: number;
  /** Instead of these two. */
  readonly byPriority: readonly ShutdownGroup[];
}

/** How long a container that failed waits: at first, doubled each time, at most. */
export interface CrashBackoff {
  readonly baseMs: number;
  readonly maxMs: number;
}

export interface NodesEnvironment {
  readonly loop: Pick<TaskLoop, 'nowMs' | 'setTimer' | 'cancelTimer' | 'soon' | 'track' | 'crashed'>;
  /** A client as `system:node:<name>` in group system:nodes. */
  clientFor(node: string): Client;
  /** Removes Node objects of machines that left and writes status of pools; without it the node's own client does. */
  readonly poolClient?: Client;
  readonly informers: InformerFactory;
  recorderFor(node: string): EventRecorder;
  readonly random: Random;
  /** Where faults strike machines, links and registries. */
  readonly points: FaultPoints;
  /** Issues tokens of service accounts to pods. */
  readonly tokens?: PodTokens;
  readonly options?: NodesOptions;
  onLog?(record: LogRecord): void;
}

export interface NodesContext extends NodesEnvironment {
  readonly machines: Map<string, Machine>;
  readonly workers: Map<string, PodWorker>;
  readonly catalog: ImageCatalog;
  readonly shared: SharedParts;
  readonly nodeInformer: Informer<Node>;
  readonly volumes: VolumeCaches;
  stream(machine: Machine): RandomStream;
}

export function streamName(node: string): string {
  return `node/${node}`;
}
