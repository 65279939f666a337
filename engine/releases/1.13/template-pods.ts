/** Where the pod stands in what makes it, by resource. */
const ofTemplate = ['spec', 'template', 'spec'];

export const podsOfTemplates: { readonly [resource: string]: readonly string[] } = {
  'cronjobs.batch': ['spec', 'jobTemplate', 'spec', 'template', 'spec'],
  'daemonsets.apps': ofTemplate,
  'daemonsets.extensions': ofTemplate,
  'deployments.apps': ofTemplate,
  'deployments.extensions': ofTemplate,
  'jobs.batch': ofTemplate,
  podtemplates: ['template', 'spec'],
  'replicasets.apps': ofTemplate,
  'replicasets.extensions': ofTemplate,
  replicationcontrollers: ofTemplate,
  'statefulsets.apps': ofTemplate,
};
