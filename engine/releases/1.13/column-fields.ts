/** Fields whose descriptions stand at columns of tables of release 1.13, where they are others than now: of its printers. By kind and column. */
import type { ColumnFields } from '../../contracts/release-documents.ts';

const selectors = {
  daemonSet: { Selector: 'extensions.v1beta1.DaemonSetSpec.selector' },
  deployment: { Selector: 'extensions.v1beta1.DeploymentSpec.selector' },
  replicaSet: { Selector: 'extensions.v1beta1.ReplicaSetSpec.selector' },
};
const policySelector = { 'Pod-Selector': 'extensions.v1beta1.NetworkPolicySpec.podSelector' };
const daemonSets = 'extensions.v1beta1.DaemonSetStatus';
const autoscalers = 'autoscaling.v2beta1.HorizontalPodAutoscalerSpec';
const event = { Kind: 'core.v1.ObjectReference.kind' };
const policies = 'policy.v1beta1.PodSecurityPolicySpec';
const securityPolicy = { Caps: `${policies}.allowedCapabilities`, ReadOnlyRootFs: `${policies}.readOnlyRootFilesystem` };

export const columnFields: ColumnFields = {
  'DaemonSet.apps': selectors.daemonSet,
  'DaemonSet.extensions': {
    Desired: `${daemonSets}.desiredNumberScheduled`,
    Current: `${daemonSets}.currentNumberScheduled`,
    Ready: `${daemonSets}.numberReady`,
    'Up-to-date': `${daemonSets}.updatedNumberScheduled`,
    Available: `${daemonSets}.numberAvailable`,
    'Node Selector': 'core.v1.PodSpec.nodeSelector',
    ...selectors.daemonSet,
  },
  'Deployment.apps': selectors.deployment,
  'Deployment.extensions': selectors.deployment,
  Event: event,
  'Event.events.k8s.io': event,
  'HorizontalPodAutoscaler.autoscaling': { Targets: `${autoscalers}.metrics`, MinPods: `${autoscalers}.minReplicas` },
  'NetworkPolicy.extensions': policySelector,
  'NetworkPolicy.networking.k8s.io': policySelector,
  'PodSecurityPolicy.extensions': securityPolicy,
  'PodSecurityPolicy.policy': securityPolicy,
  'ReplicaSet.apps': selectors.replicaSet,
  'ReplicaSet.extensions': selectors.replicaSet,
  ServiceAccount: { Secrets: 'core.v1.ServiceAccount.secrets' },
};
