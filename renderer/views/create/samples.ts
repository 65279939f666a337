/** What one begins with: each is taken by the API server as it stands. */

export interface Sample {
  readonly kind: string;
  readonly text: string;
}

function labelled(indent: string, app: string): string {
  return `${indent}labels:\n${indent}  app: ${app}`;
}

const container = (indent: string): string => `${indent}containers:
${indent}  - name: main
${indent}    image: nginx:1.27
${indent}    resources:
${indent}      requests:
${indent}        cpu: 100m
${indent}        memory: 64Mi`;

const worker = (indent: string): string => `${indent}restartPolicy: Never
${indent}containers:
${indent}  - name: main
${indent}    image: busybox:1.37
${indent}    command: [sh, -c, "echo begun; sleep 20; echo done"]`;

export const samples: readonly Sample[] = [
  {
    kind: 'Deployment',
    text: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  namespace: default
spec:
  replicas: 3
  selector:
    matchLabels:
      app: web
  template:
    metadata:
${labelled('      ', 'web')}
    spec:
${container('      ')}
`,
  },
  {
    kind: 'Pod',
    text: `apiVersion: v1
kind: Pod
metadata:
  name: alone
  namespace: default
spec:
${container('  ')}
`,
  },
  {
    kind: 'Service',
    text: `apiVersion: v1
kind: Service
metadata:
  name: web
  namespace: default
spec:
  selector:
    app: web
  ports:
    - port: 80
      targetPort: 80
`,
  },
  {
    kind: 'CronJob',
    text: `apiVersion: batch/v1
kind: CronJob
metadata:
  name: report
  namespace: default
spec:
  schedule: "*/5 * * * *"
  concurrencyPolicy: Forbid
  startingDeadlineSeconds: 120
  jobTemplate:
    spec:
      template:
        spec:
${worker('          ')}
`,
  },
  {
    kind: 'Job',
    text: `apiVersion: batch/v1
kind: Job
metadata:
  name: once
  namespace: default
spec:
  completions: 3
  parallelism: 2
  backoffLimit: 4
  template:
    spec:
${worker('      ')}
`,
  },
  {
    kind: 'StatefulSet',
    text: `apiVersion: v1
kind: Service
metadata:
  name: store
  namespace: default
spec:
  clusterIP: None
  selector:
    app: store
  ports:
    - port: 6379
---
apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: store
  namespace: default
spec:
  serviceName: store
  replicas: 3
  selector:
    matchLabels:
      app: store
  template:
    metadata:
${labelled('      ', 'store')}
    spec:
${container('      ')}
          volumeMounts:
            - name: data
              mountPath: /data
  volumeClaimTemplates:
    - metadata:
        name: data
      spec:
        accessModes: [ReadWriteOnce]
        resources:
          requests:
            storage: 1Gi
`,
  },
  {
    kind: 'DaemonSet',
    text: `apiVersion: apps/v1
kind: DaemonSet
metadata:
  name: agent
  namespace: default
spec:
  selector:
    matchLabels:
      app: agent
  template:
    metadata:
${labelled('      ', 'agent')}
    spec:
${container('      ')}
`,
  },
  {
    kind: 'ConfigMap',
    text: `apiVersion: v1
kind: ConfigMap
metadata:
  name: settings
  namespace: default
data:
  level: info
  app.properties: |
    colour=blue
    size=3
`,
  },
  {
    kind: 'Namespace',
    text: `apiVersion: v1
kind: Namespace
metadata:
  name: team-a
---
apiVersion: v1
kind: ResourceQuota
metadata:
  name: limits
  namespace: team-a
spec:
  hard:
    pods: "10"
    requests.cpu: "2"
`,
  },
  {
    kind: 'NodePool',
    text: `apiVersion: sim.wavetank.dev/v1alpha1
kind: NodePool
metadata:
  name: pool
spec:
  count: 3
`,
  },
  {
    kind: 'PodDisruptionBudget',
    text: `apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: web
  namespace: default
spec:
  minAvailable: 2
  selector:
    matchLabels:
      app: web
`,
  },
];
