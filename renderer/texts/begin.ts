/** Words of the first run: how to begin with an empty cluster, and what will be seen then. */
export const begin = {
  title: 'Ways to begin',
  empty: 'Nothing runs in this cluster yet',
  close: 'Close the ways to begin',
  copy: (line: string) => `Copy ${line}`,
  sample: {
    title: 'A sample workload',
    act: 'Create it',
    text: 'Three web servers under a Deployment.',
    after:
      'Each object gets a row on the timeline: the Deployment makes a ReplicaSet, that makes pods, the scheduler finds nodes, kubelets start them.',
    isPaused: 'Press space to let time run.',
    line: 'kubectl create deployment hello --image=nginx --replicas=3',
    made: 'deployment.apps/hello created',
    madeDetail: 'Its rows are on the timeline.',
    madePaused: 'Press space to let time run, or “+1m”.',
    refused: 'The sample was refused',
  },
  scenario: {
    title: 'A scenario',
    act: 'Choose one',
    text: 'Something goes wrong on purpose, in a cluster of its own beside this one.',
    after: 'Its steps, what is expected and the verdict stand in the view of scenarios; this cluster stays as it is.',
  },
  kubectl: {
    title: 'kubectl',
    text: 'Your own tools reach this cluster with its kubeconfig:',
    unread: 'How kubectl gets in cannot be read',
    none: 'This engine wrote no kubeconfig. Started with npx wavetank up, it does.',
    after: 'What you apply stands on the timeline at once, and under Requests with what it changed.',
    try: 'kubectl apply -f your.yaml',
  },
} as const;
