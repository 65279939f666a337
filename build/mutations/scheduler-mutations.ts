/** Wrongs of the scheduler and of the kubelets. */
import type { Mutation } from './mutation.ts';

const affinity = 'engine/scheduler/plugins/inter-pod-affinity/inter-pod-affinity.ts';

export const schedulerMutations: readonly Mutation[] = [
  {
    name: 'scheduler-ignores-taints',
    breaks: 'pods are bound to nodes whose taints they do not tolerate',
    edits: [
      {
        file: 'engine/scheduler/plugins/taint-toleration/taint-toleration.ts',
        from: 'filter: ({ tolerations }, { node }) => (hasUntoleratedTaint(node, tolerations) ? verdict : undefined),',
        to: 'filter: () => undefined,',
      },
    ],
  },
  {
    name: 'cordon-ignored',
    breaks: 'pods are bound to cordoned nodes',
    edits: [
      {
        file: 'engine/scheduler/plugins/node-unschedulable/node-unschedulable.ts',
        from: 'filter: (tolerations, { node }) => (node.spec?.unschedulable === true',
        to: "filter: (tolerations, { node }) => (node.metadata.name === '' && node.spec?.unschedulable === true",
      },
      // A cordon is a taint as well, a moment later.
      { file: 'engine/controllers/nodelifecycle/taints.ts', from: 'if (node.spec?.unschedulable) wanted.push(unschedulable);', to: '' },
    ],
  },
  {
    name: 'node-affinity-ignored',
    breaks: 'pods are bound to nodes that their selector or affinity excludes',
    edits: [
      {
        file: 'engine/scheduler/plugins/node-affinity/node-affinity.ts',
        from: 'filter: ({ required }, { node }) => (required === undefined || required(node) ? undefined : verdict),',
        to: 'filter: () => undefined,',
      },
    ],
  },
  {
    name: 'pod-repulsion-ignored',
    breaks: 'a pod is bound beside one that it wants to be away from',
    edits: [
      {
        file: affinity,
        from: 'if (anti.at(slot) > 0) return antiAffinityVerdict;',
        to: 'if (anti.at(slot) > 99) return antiAffinityVerdict;',
      },
    ],
  },
  {
    name: 'repulsion-of-others-ignored',
    breaks: 'a pod is bound beside one that wants to be away from it',
    edits: [{ file: affinity, from: 'if (existing.at(slot) > 0) return existingVerdict;', to: ';' }],
  },
  {
    name: 'pod-affinity-ignored',
    breaks: 'a pod is bound far from those that it wants to be near',
    edits: [{ file: affinity, from: 'if (!affinityHolds(state, slot)) return affinityVerdict;', to: '' }],
  },
  {
    name: 'spread-off-by-one',
    breaks: 'pods are spread one less evenly than asked',
    edits: [
      {
        file: 'engine/scheduler/plugins/pod-topology-spread/pod-topology-spread.ts',
        from: '(selfMatch[i] as number) - least > maxSkew)',
        to: '(selfMatch[i] as number) - least > maxSkew + 1)',
      },
    ],
  },
  {
    name: 'nodes-overcommitted',
    breaks: 'more is promised of a node than it has',
    edits: [
      {
        file: 'engine/scheduler/plugins/node-resources-fit/node-resources-fit.ts',
        from: 'if (wanted === 0 || wanted <= total - used) return;',
        to: 'if (wanted === 0 || wanted <= total - used + 1000) return;',
      },
    ],
  },
  {
    name: 'equals-are-preempted',
    breaks: 'a pod makes others of its own priority go',
    edits: [
      {
        file: 'engine/scheduler/plugins/default-preemption/default-preemption.ts',
        from: 'const lower = [...real.pods.values()].filter((other) => other.priority < pod.priority);',
        to: 'const lower = [...real.pods.values()].filter((other) => other.priority <= pod.priority);',
      },
    ],
  },
  {
    name: 'restored-scheduler-sees-empty-nodes',
    breaks: 'a restored scheduler does not know which pods are on the nodes',
    edits: [
      {
        file: 'engine/scheduler/scheduler.ts',
        from: 'for (const pod of this.#listers.pods.list()) if (isAssigned(pod) && !isTerminal(pod)) this.#cache.setPod(pod);',
        to: '',
      },
    ],
  },
  {
    name: 'never-restarts-anyway',
    breaks: 'containers of pods with restartPolicy Never are started again',
    edits: [
      {
        file: 'engine/nodes/kubelet/environment.ts',
        from: "return policy === 'Always' || (policy === 'OnFailure' && exitCode !== 0);",
        to: "return policy === 'Always' || exitCode !== 0;",
      },
    ],
  },
  {
    name: 'address-given-twice',
    breaks: 'a new pod gets the address of one that still runs',
    edits: [
      { file: 'engine/nodes/machine.ts', from: 'const host = machine.nextHost;', to: 'const host = Math.min(last, 2 + machine.pods.size);' },
      { file: 'engine/nodes/machine.ts', from: 'if (machine.usedHosts.has(host)) continue;', to: '' },
    ],
  },
];
