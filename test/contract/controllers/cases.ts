/** Which situations are played for the contract of the controllers, and in which cluster. Every controller writes in one of them. */
import type { ClusterConfig } from '../../../engine/cluster/config.ts';
import { groups } from '../../situations/groups.ts';
import { podGroupSituations } from '../../situations/list/podgroups.ts';
import type { Situation } from '../../situations/situation.ts';
import * as own from './own-situations.ts';
import type { Trial } from './trials.ts';

export interface Case {
  readonly id: string;
  readonly situation: Situation;
  readonly config: Partial<ClusterConfig>;
  /** Trials after which upstream, too, ends otherwise, by the beginning of their name, with the reason. */
  readonly except: Readonly<Record<string, string>>;
}

interface CaseOptions {
  readonly options?: Readonly<Record<string, string>>;
  readonly nodes?: number;
  readonly except?: Readonly<Record<string, string>>;
}

const gates = (names: string, versions = ''): CaseOptions => ({
  options: {
    'feature-gates': names
      .split(' ')
      .map((name) => `${name}=true`)
      .join(','),
    ...(versions === ''
      ? {}
      : {
          'runtime-config': versions
            .split(' ')
            .map((version) => `${version}=true`)
            .join(','),
        }),
  },
});

const cloud: CaseOptions = { nodes: 2, options: { 'cloud-provider': 'wavetank', 'allocate-node-cidrs': 'true' } };

/** Before the volume and its claim come: who is back looks at the claim before the volume is called available, in the order of upstream's resync. */
const unattended = { 'killed after write 22': 'a claim that comes with its volume while nobody is there: upstream, too, asks the provisioner' };

/** Recorded ones, by controller and name. */
const recorded: readonly (readonly [group: string, name: string, options?: CaseOptions])[] = [
  ['access', 'a token goes with its account'],
  ['access', 'a role follows others'],
  ['access', 'a range of addresses goes'],
  ['access', 'a claim of a template goes with its pod'],
  ['access', 'a policy is checked'],
  ['autoscaling', 'grows by what the pods use, and settles'],
  ['autoscaling', 'scales a ReplicaSet'],
  ['certificates', 'a kubelet gets its certificate'],
  ['certificates', 'what a kubelet answers with is approved'],
  ['daemonset', 'rolls'],
  ['daemonset', 'a node comes'],
  ['deployment', 'rolls to a new template'],
  ['deployment', 'keeps one old template'],
  ['deployment', 'goes with all it has'],
  ['disruption', 'pods of a Deployment'],
  ['disruption', 'an eviction is allowed'],
  ['endpoints', 'a pod becomes unready'],
  ['endpoints', 'ports change'],
  ['garbage', 'goes before its owner'],
  ['garbage', 'stays without its owner'],
  ['garbage', 'a chain goes'],
  ['job', 'runs three, two at a time'],
  ['job', 'fails once and is tried again'],
  ['job', 'is suspended while it runs'],
  ['job', 'indexes'],
  ['mirroring', 'follows changes'],
  ['namespaces', 'goes with what is in it'],
  ['namespaces', 'the root certificate is mended'],
  ['nodes', 'has disk pressure'],
  ['quota', 'counts pods that go'],
  ['replicaset', 'has thirteen pods'],
  ['replicaset', 'adopts more pods than it needs'],
  ['replicationcontroller', 'replaces a pod that failed'],
  ['statefulset', 'rolls from the last'],
  ['statefulset', 'deletes claims when it is scaled down'],
  ['ttl', 'a finished Job goes later'],
  ['ttl', 'a claim goes after its pod'],
  ['ttl', 'a volume that nobody uses goes'],
  ['volumes', 'a claim is bound'],
  ['volumes', 'a claim grows', { except: unattended }],
  ['volumes', 'an ephemeral claim goes with its pod'],
];

const unrecorded: readonly (readonly [situation: Situation, options?: CaseOptions])[] = [
  [own.tokens, { options: { controllers: '*,bootstrapsigner,tokencleaner' } }],
  [own.trustBundles, gates('ClusterTrustBundle', 'certificates.k8s.io/v1beta1')],
  [
    own.oldTokens,
    {
      options: { 'legacy-service-account-token-clean-up-period': '24h' },
      except: {
        killed: 'an account is told that its token went, or never',
        two: 'it takes days, in which two replicas renew a lease every other second',
      },
    },
  ],
  [own.oldRequests],
  [own.podGroups, gates('GenericWorkload', 'scheduling.k8s.io/v1alpha2')],
  [
    podGroupSituation('a Job of a group runs'),
    {
      ...gates('GenericWorkload GangScheduling WorkloadWithJob', 'scheduling.k8s.io/v1alpha2'),
      except: {
        'others make first, for nobody': 'a Workload for the Job that is not its own leaves its pods without a group',
        'others make first, for somebody else': 'likewise',
      },
    },
  ],
  [own.pools, gates('DRAResourcePoolStatus', 'resource.k8s.io/v1alpha3')],
  [own.devices],
  [own.labels, { options: { controllers: '*,selinux-warning-controller' } }],
  [own.storageVersions, gates('APIServerIdentity StorageVersionAPI', 'internal.apiserver.k8s.io/v1alpha1')],
  [own.migration, gates('StorageVersionMigrator', 'storagemigration.k8s.io/v1beta1')],
  [own.podCertificates, gates('PodCertificateRequest', 'certificates.k8s.io/v1beta1')],
  [
    own.cronjobThatStops,
    {
      except: {
        'others make first, for nobody': 'a Job of the name that is not its own counts as made, and the CronJob waits for the next time',
        'others make first, for somebody else': 'likewise',
      },
    },
  ],
  [own.cloudNodes, cloud],
  [own.loadBalancers, cloud],
  [own.attributes],
  [own.grows, { except: unattended }],
  [own.attached],
  [own.evicted],
];

export const cases: readonly Case[] = [
  ...recorded.map(([group, name, options]) => aCase(`${group}/${name}`, mustFind(group, name), options)),
  ...unrecorded.map(([situation, options]) => aCase(`own/${situation.name}`, situation, options)),
];

/** All recorded situations, too. Nobody has judged whether each may end otherwise when its steps race with a controller. */
export const allCases: readonly Case[] = [
  ...cases,
  ...groups
    .flatMap(({ controller, situations }) => situations.map((situation) => aCase(`${controller}/${situation.name}`, situation)))
    .filter(({ id }) => cases.every((other) => other.id !== id)),
];

export function isExcepted({ except }: Case, { name }: Trial): boolean {
  return Object.keys(except).some((beginning) => name.startsWith(beginning));
}

function aCase(id: string, situation: Situation, { options = {}, nodes = 0, except = {} }: CaseOptions = {}): Case {
  return { id, situation, except, config: { nodes, options } };
}

function podGroupSituation(name: string): Situation {
  const found = podGroupSituations.situations.find((one) => one.name === name);
  if (found === undefined) throw new Error(`there is no situation podgroups/${name}`);
  return found;
}

function mustFind(group: string, name: string): Situation {
  const found = groups.find(({ controller }) => controller === group)?.situations.find((one) => one.name === name);
  if (found === undefined) throw new Error(`there is no situation ${group}/${name}`);
  return found;
}
