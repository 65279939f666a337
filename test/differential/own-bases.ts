/** Richer objects of our own, by group and kind, so that mutations reach what small ones do not have. */
import type { JsonObject } from '../../engine/base/json.ts';

const probe = { httpGet: { path: '/healthz', port: 80 }, periodSeconds: 5 };
const container = {
  name: 'main',
  image: 'registry.example.com/app:1',
  command: ['run'],
  args: ['$(MODE)'],
  env: [
    { name: 'MODE', value: 'x' },
    { name: 'POD', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
    { name: 'LIMIT', valueFrom: { resourceFieldRef: { resource: 'limits.cpu' } } },
    { name: 'KEY', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } },
  ],
  envFrom: [{ configMapRef: { name: 'c' }, prefix: 'P_' }],
  ports: [{ name: 'http', containerPort: 80, protocol: 'TCP' }],
  resources: { limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '500m', memory: '512Mi' } },
  livenessProbe: probe,
  readinessProbe: { tcpSocket: { port: 'http' } },
  startupProbe: { exec: { command: ['true'] }, failureThreshold: 5 },
  lifecycle: { preStop: { exec: { command: ['stop'] } } },
  volumeMounts: [
    { name: 'data', mountPath: '/data' },
    { name: 'conf', mountPath: '/etc/conf', readOnly: true },
  ],
  securityContext: { runAsUser: 1000, allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
};
const podSpec = {
  initContainers: [{ name: 'init', image: 'init:1', restartPolicy: 'Always' }],
  containers: [container, { name: 'side', image: 'side:2' }],
  volumes: [
    { name: 'data', emptyDir: { sizeLimit: '1Gi' } },
    { name: 'conf', configMap: { name: 'c', items: [{ key: 'a', path: 'b' }] } },
    {
      name: 'token',
      projected: {
        sources: [
          { serviceAccountToken: { path: 't', expirationSeconds: 3600 } },
          { downwardAPI: { items: [{ path: 'l', fieldRef: { fieldPath: 'metadata.labels' } }] } },
        ],
      },
    },
    { name: 'claim', persistentVolumeClaim: { claimName: 'p' } },
  ],
  nodeSelector: { disk: 'ssd' },
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'zone', operator: 'In', values: ['a'] }] }] },
      preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, preference: { matchExpressions: [{ key: 'zone', operator: 'Exists' }] } }],
    },
    podAntiAffinity: {
      preferredDuringSchedulingIgnoredDuringExecution: [
        { weight: 5, podAffinityTerm: { topologyKey: 'zone', labelSelector: { matchLabels: { app: 'a' } } } },
      ],
    },
  },
  tolerations: [{ key: 'k', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 60 }],
  topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule', labelSelector: { matchLabels: { app: 'a' } } }],
  hostAliases: [{ ip: '10.0.0.1', hostnames: ['a.example.com'] }],
  dnsConfig: { nameservers: ['10.0.0.10'], searches: ['example.com'], options: [{ name: 'ndots', value: '2' }] },
  securityContext: { fsGroup: 2000, sysctls: [{ name: 'kernel.shm_rmid_forced', value: '0' }], supplementalGroups: [1] },
  terminationGracePeriodSeconds: 30,
  imagePullSecrets: [{ name: 'r' }],
};
const labels = { app: 'a' };
const template = { metadata: { labels }, spec: podSpec };
const selector = { matchLabels: labels, matchExpressions: [{ key: 'app', operator: 'In', values: ['a'] }] };
const jobTemplate = { metadata: { labels }, spec: { ...podSpec, restartPolicy: 'Never' } };
const jobSpec = {
  parallelism: 2,
  completions: 3,
  completionMode: 'Indexed',
  backoffLimitPerIndex: 1,
  maxFailedIndexes: 1,
  podFailurePolicy: {
    rules: [
      { action: 'FailIndex', onExitCodes: { operator: 'In', values: [1, 2] } },
      { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] },
    ],
  },
  successPolicy: { rules: [{ succeededIndexes: '0-1', succeededCount: 1 }] },
  template: jobTemplate,
};
const rules = [{ operations: ['CREATE'], apiGroups: ['nowhere.example.com'], apiVersions: ['v1'], resources: ['things'], scope: '*' }];
const webhook = {
  name: 'a.example.com',
  clientConfig: { service: { namespace: 'diff', name: 's', path: '/x', port: 443 } },
  rules,
  failurePolicy: 'Ignore',
  matchPolicy: 'Exact',
  namespaceSelector: { matchExpressions: [{ key: 'a', operator: 'Exists' }] },
  matchConditions: [{ name: 'c', expression: 'true' }],
  sideEffects: 'None',
  timeoutSeconds: 5,
  admissionReviewVersions: ['v1', 'v1beta1'],
};

export const ownBases: { readonly [kind: string]: readonly JsonObject[] } = {
  ' Pod': [{ metadata: { labels }, spec: podSpec }],
  ' PodTemplate': [{ template }],
  ' ReplicationController': [{ spec: { replicas: 2, minReadySeconds: 1, selector: labels, template } }],
  'apps Deployment': [
    {
      spec: {
        replicas: 2,
        selector,
        template,
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: 1 } },
        minReadySeconds: 5,
        progressDeadlineSeconds: 60,
        revisionHistoryLimit: 3,
      },
    },
  ],
  'apps ReplicaSet': [{ spec: { replicas: 2, minReadySeconds: 1, selector, template } }],
  'apps DaemonSet': [
    {
      spec: { selector, template, updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1, maxSurge: 0 } }, minReadySeconds: 1 },
    },
  ],
  'apps StatefulSet': [
    {
      spec: {
        serviceName: 's',
        replicas: 2,
        selector,
        template,
        podManagementPolicy: 'Parallel',
        updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 1 } },
        persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Delete', whenScaled: 'Retain' },
        ordinals: { start: 1 },
        volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } }],
      },
    },
  ],
  'batch Job': [
    { spec: jobSpec },
    {
      spec: {
        suspend: true,
        ttlSecondsAfterFinished: 5,
        activeDeadlineSeconds: 9,
        backoffLimit: 2,
        template: { spec: { restartPolicy: 'OnFailure', containers: [{ name: 'c', image: 'i' }] } },
      },
    },
  ],
  'batch CronJob': [
    {
      spec: {
        schedule: '0 4 * * 1-5',
        timeZone: 'Etc/UTC',
        concurrencyPolicy: 'Forbid',
        startingDeadlineSeconds: 60,
        suspend: true,
        successfulJobsHistoryLimit: 2,
        failedJobsHistoryLimit: 1,
        jobTemplate: { metadata: { labels }, spec: jobSpec },
      },
    },
  ],
  ' Service': [
    {
      spec: {
        type: 'NodePort',
        selector: labels,
        ports: [
          { name: 'http', port: 80, targetPort: 'http', protocol: 'TCP', appProtocol: 'http' },
          { name: 'dns', port: 53, targetPort: 5353, protocol: 'UDP' },
        ],
        sessionAffinity: 'ClientIP',
        sessionAffinityConfig: { clientIP: { timeoutSeconds: 60 } },
        externalIPs: ['203.0.113.1'],
      },
    },
    {
      spec: {
        type: 'LoadBalancer',
        selector: labels,
        ports: [{ port: 80 }],
        loadBalancerSourceRanges: ['203.0.113.0/24'],
        externalTrafficPolicy: 'Local',
        loadBalancerClass: 'example.com/lb',
        allocateLoadBalancerNodePorts: false,
      },
    },
    { spec: { type: 'ExternalName', externalName: 'a.example.com' } },
    { spec: { clusterIP: 'None', selector: labels, publishNotReadyAddresses: true, ports: [{ port: 80 }], trafficDistribution: 'PreferClose' } },
  ],
  ' PersistentVolume': [
    {
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        persistentVolumeReclaimPolicy: 'Delete',
        volumeMode: 'Block',
        csi: {
          driver: 'd.example.com',
          volumeHandle: 'h',
          fsType: 'ext4',
          volumeAttributes: { a: 'b' },
          nodeStageSecretRef: { name: 's', namespace: 'diff' },
        },
        nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'zone', operator: 'In', values: ['a'] }] }] } },
        claimRef: { namespace: 'diff', name: 'c' },
        mountOptions: ['ro'],
      },
    },
    { spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteMany'], nfs: { server: 'nfs.example.com', path: '/x' }, storageClassName: 's' } },
    {
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        local: { path: '/mnt/x' },
        nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'zone', operator: 'In', values: ['a'] }] }] } },
      },
    },
  ],
  ' PersistentVolumeClaim': [
    {
      spec: {
        accessModes: ['ReadWriteOnce'],
        volumeMode: 'Filesystem',
        storageClassName: 's',
        selector,
        resources: { requests: { storage: '1Gi' }, limits: { storage: '2Gi' } },
        dataSource: { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 'x' },
      },
    },
  ],
  ' ResourceQuota': [
    {
      spec: {
        hard: { pods: '3', 'requests.cpu': '1', 'limits.memory': '1Gi' },
        scopes: ['NotTerminating'],
        scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In', values: ['high'] }] },
      },
    },
  ],
  ' LimitRange': [
    {
      spec: {
        limits: [
          {
            type: 'Container',
            min: { cpu: '10m' },
            max: { cpu: '2' },
            default: { cpu: '1' },
            defaultRequest: { cpu: '100m' },
            maxLimitRequestRatio: { memory: '2' },
          },
          { type: 'PersistentVolumeClaim', max: { storage: '5Gi' } },
        ],
      },
    },
  ],
  ' Node': [
    {
      metadata: { labels: { zone: 'a' } },
      spec: { podCIDR: '10.244.0.0/24', podCIDRs: ['10.244.0.0/24'], providerID: 'x://y', taints: [{ key: 'k', value: 'v', effect: 'NoSchedule' }] },
    },
  ],
  ' Secret': [
    { type: 'kubernetes.io/tls', stringData: { 'tls.crt': 'a', 'tls.key': 'b' } },
    { type: 'kubernetes.io/basic-auth', stringData: { username: 'u', password: 'p' } },
    { type: 'kubernetes.io/dockerconfigjson', stringData: { '.dockerconfigjson': '{}' } },
    { immutable: true, data: { a: 'Yg==' } },
  ],
  ' ConfigMap': [
    { data: { a: 'b', 'c.d': 'e' }, binaryData: { f: 'Yg==' } },
    { immutable: true, data: { a: 'b' } },
  ],
  ' ServiceAccount': [{ secrets: [{ name: 's' }], imagePullSecrets: [{ name: 'r' }], automountServiceAccountToken: false }],
  ' Endpoints': [
    {
      subsets: [
        {
          addresses: [{ ip: '10.1.0.1', nodeName: 'n', targetRef: { kind: 'Pod', name: 'p' } }],
          notReadyAddresses: [{ ip: '10.1.0.2' }],
          ports: [
            { name: 'a', port: 80 },
            { name: 'b', port: 81, protocol: 'UDP' },
          ],
        },
      ],
    },
  ],
  'discovery.k8s.io EndpointSlice': [
    {
      addressType: 'IPv4',
      endpoints: [
        {
          addresses: ['10.1.0.1'],
          conditions: { ready: true, serving: true, terminating: false },
          hostname: 'h',
          nodeName: 'n',
          zone: 'z',
          targetRef: { kind: 'Pod', name: 'p' },
          hints: { forZones: [{ name: 'z' }] },
        },
      ],
      ports: [{ name: 'a', port: 80, protocol: 'TCP', appProtocol: 'http' }],
    },
  ],
  'networking.k8s.io Ingress': [
    {
      spec: {
        ingressClassName: 'c',
        tls: [{ hosts: ['a.example.com'], secretName: 's' }],
        rules: [
          {
            host: 'a.example.com',
            http: {
              paths: [
                { path: '/x', pathType: 'Prefix', backend: { service: { name: 's', port: { name: 'http' } } } },
                { path: '/y', pathType: 'Exact', backend: { resource: { apiGroup: 'example.com', kind: 'K', name: 'n' } } },
              ],
            },
          },
        ],
      },
    },
  ],
  'networking.k8s.io IngressClass': [
    { spec: { controller: 'example.com/c', parameters: { scope: 'Namespace', namespace: 'diff', apiGroup: 'example.com', kind: 'K', name: 'n' } } },
  ],
  'networking.k8s.io NetworkPolicy': [
    {
      spec: {
        podSelector: selector,
        policyTypes: ['Ingress', 'Egress'],
        ingress: [
          {
            from: [{ podSelector: {} }, { ipBlock: { cidr: '10.0.0.0/8', except: ['10.1.0.0/16'] } }],
            ports: [{ protocol: 'TCP', port: 80, endPort: 90 }],
          },
        ],
        egress: [{ to: [{ namespaceSelector: selector }] }],
      },
    },
  ],
  'policy PodDisruptionBudget': [{ spec: { maxUnavailable: '50%', selector, unhealthyPodEvictionPolicy: 'AlwaysAllow' } }],
  'autoscaling/v2 HorizontalPodAutoscaler': [
    {
      spec: {
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' },
        minReplicas: 1,
        maxReplicas: 5,
        metrics: [
          { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } } },
          { type: 'Pods', pods: { metric: { name: 'm' }, target: { type: 'AverageValue', averageValue: '10' } } },
          {
            type: 'Object',
            object: {
              metric: { name: 'm', selector },
              describedObject: { apiVersion: 'v1', kind: 'Service', name: 's' },
              target: { type: 'Value', value: '10' },
            },
          },
          { type: 'External', external: { metric: { name: 'm' }, target: { type: 'Value', value: '10' } } },
          {
            type: 'ContainerResource',
            containerResource: { name: 'cpu', container: 'main', target: { type: 'Utilization', averageUtilization: 50 } },
          },
        ],
        behavior: {
          scaleUp: { stabilizationWindowSeconds: 10, selectPolicy: 'Max', policies: [{ type: 'Pods', value: 4, periodSeconds: 60 }] },
          scaleDown: { policies: [{ type: 'Percent', value: 10, periodSeconds: 60 }] },
        },
      },
    },
  ],
  'rbac.authorization.k8s.io ClusterRole': [
    { rules: [{ nonResourceURLs: ['/x/*'], verbs: ['get'] }], aggregationRule: { clusterRoleSelectors: [selector] } },
  ],
  'storage.k8s.io StorageClass': [
    {
      provisioner: 'example.com/p',
      parameters: { a: 'b' },
      reclaimPolicy: 'Retain',
      volumeBindingMode: 'WaitForFirstConsumer',
      allowVolumeExpansion: true,
      mountOptions: ['ro'],
      allowedTopologies: [{ matchLabelExpressions: [{ key: 'zone', values: ['a'] }] }],
    },
  ],
  'storage.k8s.io CSIDriver': [
    {
      spec: {
        attachRequired: true,
        podInfoOnMount: true,
        fsGroupPolicy: 'File',
        volumeLifecycleModes: ['Persistent', 'Ephemeral'],
        tokenRequests: [{ audience: 'a', expirationSeconds: 3600 }],
        requiresRepublish: true,
        storageCapacity: true,
        seLinuxMount: true,
      },
    },
  ],
  'storage.k8s.io CSINode': [{ spec: { drivers: [{ name: 'd.example.com', nodeID: 'n', topologyKeys: ['zone'], allocatable: { count: 3 } }] } }],
  'node.k8s.io RuntimeClass': [
    {
      handler: 'h',
      overhead: { podFixed: { cpu: '10m' } },
      scheduling: { nodeSelector: { a: 'b' }, tolerations: [{ key: 'k', operator: 'Exists' }] },
    },
  ],
  'flowcontrol.apiserver.k8s.io FlowSchema': [
    {
      spec: {
        priorityLevelConfiguration: { name: 'global-default' },
        matchingPrecedence: 9000,
        distinguisherMethod: { type: 'ByUser' },
        rules: [
          {
            subjects: [{ kind: 'ServiceAccount', serviceAccount: { namespace: 'diff', name: 'nobody' } }],
            resourceRules: [{ verbs: ['get'], apiGroups: [''], resources: ['pods'], namespaces: ['diff'] }],
            nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/x'] }],
          },
        ],
      },
    },
  ],
  'flowcontrol.apiserver.k8s.io PriorityLevelConfiguration': [
    {
      spec: {
        type: 'Limited',
        limited: {
          nominalConcurrencyShares: 5,
          lendablePercent: 50,
          borrowingLimitPercent: 10,
          limitResponse: { type: 'Queue', queuing: { queues: 8, handSize: 3, queueLengthLimit: 10 } },
        },
      },
    },
  ],
  'admissionregistration.k8s.io ValidatingWebhookConfiguration': [{ webhooks: [webhook] }],
  'admissionregistration.k8s.io MutatingWebhookConfiguration': [{ webhooks: [{ ...webhook, reinvocationPolicy: 'IfNeeded' }] }],
  'admissionregistration.k8s.io ValidatingAdmissionPolicy': [
    {
      spec: {
        failurePolicy: 'Fail',
        paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
        matchConstraints: { resourceRules: rules },
        matchConditions: [{ name: 'c', expression: 'true' }],
        variables: [{ name: 'v', expression: '1' }],
        validations: [{ expression: 'variables.v == 1', message: 'm', reason: 'Invalid' }],
        auditAnnotations: [{ key: 'k', valueExpression: '"x"' }],
      },
    },
  ],
  'admissionregistration.k8s.io ValidatingAdmissionPolicyBinding': [
    {
      spec: {
        policyName: 'p.example.com',
        validationActions: ['Warn', 'Audit'],
        paramRef: { name: 'p', parameterNotFoundAction: 'Deny' },
        matchResources: { resourceRules: rules },
      },
    },
  ],
  'resource.k8s.io/v1 ResourceClaim': [
    {
      spec: {
        devices: {
          requests: [
            {
              name: 'r',
              exactly: {
                deviceClassName: 'c',
                allocationMode: 'ExactCount',
                count: 2,
                selectors: [{ cel: { expression: 'true' } }],
                tolerations: [{ key: 'k', operator: 'Exists' }],
              },
            },
            { name: 'q', firstAvailable: [{ name: 'a', deviceClassName: 'c' }] },
          ],
          constraints: [{ requests: ['r'], matchAttribute: 'example.com/a' }],
          config: [{ requests: ['r'], opaque: { driver: 'd.example.com', parameters: { a: 1 } } }],
        },
      },
    },
  ],
  'resource.k8s.io/v1 ResourceSlice': [
    {
      spec: {
        driver: 'd.example.com',
        nodeName: 'n',
        pool: { name: 'p', resourceSliceCount: 1, generation: 1 },
        devices: [{ name: 'd', attributes: { a: { string: 'x' }, v: { version: '1.0.0' } }, capacity: { m: { value: '1Gi' } } }],
      },
    },
  ],
  'resource.k8s.io/v1 DeviceClass': [
    { spec: { selectors: [{ cel: { expression: 'true' } }], config: [{ opaque: { driver: 'd.example.com', parameters: { a: 1 } } }] } },
  ],
  'scheduling.k8s.io PriorityClass': [{ value: 10, preemptionPolicy: 'Never', description: 'd' }],
};
