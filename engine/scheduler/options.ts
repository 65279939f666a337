/** What can be set about the scheduler, in the words of KubeSchedulerConfiguration. */
import type { JsonObject } from '../base/json.ts';
import type { ExtenderOptions } from './extenders/options.ts';
import type { Policy } from './policy/policy.ts';
import { unschedulableStayMs } from './physics.ts';
import type { PluginSets } from './plugin-sets.ts';

export interface ProfileOptions {
  readonly schedulerName: string;
  readonly percentageOfNodesToScore?: number;
  readonly plugins?: PluginSets;
  readonly pluginArgs?: { readonly [plugin: string]: JsonObject };
}

export interface SchedulerOptions {
  readonly schedulerName: string;
  readonly podInitialBackoffSeconds: number;
  readonly podMaxBackoffSeconds: number;
  /** How long a pod waits for a change that may help it before it is tried anyway. */
  readonly unschedulableStayMs: number;
  /** 0: by the size of the cluster. */
  readonly percentageOfNodesToScore: number;
  /** Empty: one profile of the name above with the default plugins. */
  readonly profiles: readonly ProfileOptions[];
  /** Schedulers outside that are asked too, of all profiles. */
  readonly extenders: readonly ExtenderOptions[];
  /** Of release 1.13: predicates and priorities in the place of plugins, and the ways of that scheduler. */
  readonly policy?: Policy;
  /** False only in tests: every cycle works everything out anew. */
  readonly classCache: boolean;
  /** A pod that waits for its binding says where it is about to go (gate NominatedNodeNameForExpectation). */
  readonly announcesNodes: boolean;
  /** Pods that name a group are tried together (gate GenericWorkload). */
  readonly podGroups: boolean;
  /** The plugin for gangs is among the default ones (gate GangScheduling). */
  readonly gangs: boolean;
  /** Pods of a group may share claims that are the group's (gate DRAWorkloadResourceClaims). */
  readonly workloadClaims: boolean;
  /** A group may ask for a place of one kind, as a rack, for all its pods (gate TopologyAwareWorkloadScheduling). */
  readonly placesGroups: boolean;
  /** A group makes room as a whole, and goes as a whole (gate WorkloadAwarePreemption). */
  readonly preemptsForGroups: boolean;
  /** Nodes must declare what pods ask of them (gate NodeDeclaredFeatures). */
  readonly declaredFeatures: boolean;
  /** Where a volume is to be made, the space that is left counts (gate StorageCapacityScoring). */
  readonly capacityScoring: boolean;
  /** Devices of a class may stand for an extended resource (gate DRAExtendedResource). */
  readonly extendedResources: boolean;
  /** Rules put taints on devices (gate DRADeviceTaintRules). */
  readonly deviceTaintRules: boolean;
}

export const defaultSchedulerOptions: SchedulerOptions = {
  schedulerName: 'default-scheduler',
  podInitialBackoffSeconds: 1,
  podMaxBackoffSeconds: 10,
  unschedulableStayMs,
  percentageOfNodesToScore: 0,
  profiles: [],
  extenders: [],
  classCache: true,
  announcesNodes: true,
  podGroups: false,
  gangs: false,
  workloadClaims: false,
  placesGroups: false,
  preemptsForGroups: false,
  declaredFeatures: true,
  capacityScoring: false,
  extendedResources: true,
  deviceTaintRules: false,
};
