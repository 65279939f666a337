/** Pods that are judged by pod security policies: which policy, which pod. Put before a real 1.13.12 by record-policies.ts, before ours by the test. */
export interface Judged {
  readonly name: string;
  /** Members of the policy's spec beside those that allow everything. */
  readonly policy: object;
  readonly annotations?: { readonly [key: string]: string };
  /** Of the pod: its spec beside one container, what that container says, its annotations. */
  readonly pod?: object;
  readonly container?: object;
  readonly podAnnotations?: { readonly [key: string]: string };
}

const any = { rule: 'RunAsAny' };
export const allowing = {
  privileged: true,
  volumes: ['*'],
  hostNetwork: true,
  hostPID: true,
  hostIPC: true,
  allowedCapabilities: ['*'],
  seLinux: any,
  runAsUser: any,
  supplementalGroups: any,
  fsGroup: any,
  hostPorts: [{ min: 0, max: 65535 }],
};
const ids = (rule: string, ...ranges: readonly (readonly [number, number])[]) => ({ rule, ranges: ranges.map(([min, max]) => ({ min, max })) });
const security = (securityContext: object) => ({ securityContext });
const seccomp = 'seccomp.security.alpha.kubernetes.io/';
const armor = 'apparmor.security.beta.kubernetes.io/';

export const judged: readonly Judged[] = [
  { name: 'everything is allowed', policy: {} },
  { name: 'privileged, not allowed', policy: { privileged: false }, container: security({ privileged: true }) },
  { name: 'privileged, allowed', policy: {}, container: security({ privileged: true }) },
  {
    name: 'host namespaces, not allowed',
    policy: { hostNetwork: false, hostPID: false, hostIPC: false },
    pod: { hostNetwork: true, hostPID: true, hostIPC: true },
  },
  {
    name: 'host port outside of the ranges',
    policy: {
      hostPorts: [
        { min: 80, max: 80 },
        { min: 8000, max: 8080 },
      ],
    },
    container: {
      ports: [
        { containerPort: 1, hostPort: 443 },
        { containerPort: 2, hostPort: 8001 },
      ],
    },
  },
  { name: 'host port without ranges', policy: { hostPorts: [] }, container: { ports: [{ containerPort: 1, hostPort: 443 }] } },
  {
    name: 'a volume that is not allowed',
    policy: { volumes: ['secret', 'configMap'] },
    pod: {
      volumes: [
        { name: 'a', emptyDir: {} },
        { name: 'b', configMap: { name: 'x' } },
      ],
    },
  },
  {
    name: 'host paths',
    policy: { allowedHostPaths: [{ pathPrefix: '/var/log' }, { pathPrefix: '/etc', readOnly: true }] },
    pod: {
      volumes: [
        { name: 'a', hostPath: { path: '/var/logs' } },
        { name: 'b', hostPath: { path: '/var/log/x' } },
        { name: 'c', hostPath: { path: '/etc/' } },
      ],
    },
    container: {
      volumeMounts: [
        { name: 'c', mountPath: '/c' },
        { name: 'b', mountPath: '/b' },
      ],
    },
  },
  { name: 'flex volumes', policy: { allowedFlexVolumes: [{ driver: 'a/b' }] }, pod: { volumes: [{ name: 'a', flexVolume: { driver: 'a/c' } }] } },
  {
    name: 'capabilities that may not be added',
    policy: { allowedCapabilities: ['NET_ADMIN'] },
    container: security({ capabilities: { add: ['NET_ADMIN', 'SYS_ADMIN'] } }),
  },
  {
    name: 'capabilities are added and dropped',
    policy: { allowedCapabilities: [], defaultAddCapabilities: ['SETUID', 'CHOWN'], requiredDropCapabilities: ['ALL', 'KILL'] },
    container: security({ capabilities: { drop: ['CHOWN'] } }),
  },
  { name: 'a user is drawn from the range', policy: { runAsUser: ids('MustRunAs', [1000, 2000]) } },
  { name: 'a user outside of the ranges', policy: { runAsUser: ids('MustRunAs', [1000, 2000], [5, 5]) }, container: security({ runAsUser: 3000 }) },
  { name: 'the pod names the user', policy: { runAsUser: ids('MustRunAs', [1000, 2000]) }, pod: security({ runAsUser: 1500 }) },
  { name: 'not root, nothing said', policy: { runAsUser: { rule: 'MustRunAsNonRoot' } } },
  { name: 'not root, root', policy: { runAsUser: { rule: 'MustRunAsNonRoot' } }, container: security({ runAsUser: 0 }) },
  { name: 'not root, may be root', policy: { runAsUser: { rule: 'MustRunAsNonRoot' } }, container: security({ runAsNonRoot: false }) },
  { name: 'groups are drawn', policy: { supplementalGroups: ids('MustRunAs', [10, 20]), fsGroup: ids('MustRunAs', [30, 40]) } },
  {
    name: 'groups outside of the ranges',
    policy: { supplementalGroups: ids('MustRunAs', [10, 20]), fsGroup: ids('MustRunAs', [30, 40]) },
    pod: security({ fsGroup: 1, supplementalGroups: [5, 15] }),
  },
  { name: 'groups that may be', policy: { supplementalGroups: ids('MayRunAs', [10, 20]), fsGroup: ids('MayRunAs', [30, 40]) } },
  { name: 'labels are set', policy: { seLinux: { rule: 'MustRunAs', seLinuxOptions: { level: 's0:c6,c0', user: 'u' } } } },
  {
    name: 'labels that differ',
    policy: { seLinux: { rule: 'MustRunAs', seLinuxOptions: { level: 's0:c6,c0', user: 'u' } } },
    container: security({ seLinuxOptions: { level: 's0:c0,c6', role: 'r', type: 't' } }),
  },
  { name: 'a root that is read only', policy: { readOnlyRootFilesystem: true } },
  { name: 'a root that is not read only', policy: { readOnlyRootFilesystem: true }, container: security({ readOnlyRootFilesystem: false }) },
  { name: 'no escalation', policy: { allowPrivilegeEscalation: false } },
  { name: 'escalation that is not allowed', policy: { allowPrivilegeEscalation: false }, container: security({ allowPrivilegeEscalation: true }) },
  { name: 'escalation by default', policy: { defaultAllowPrivilegeEscalation: false } },
  {
    name: 'sysctls',
    policy: { forbiddenSysctls: ['kernel.shm_rmid_forced'], allowedUnsafeSysctls: ['net.core.*'] },
    pod: security({
      sysctls: [
        { name: 'kernel.shm_rmid_forced', value: '1' },
        { name: 'net.core.somaxconn', value: '1' },
        { name: 'kernel.msgmax', value: '1' },
        { name: 'net.ipv4.tcp_syncookies', value: '1' },
      ],
    }),
  },
  {
    name: 'seccomp is set',
    policy: {},
    annotations: { [`${seccomp}defaultProfileName`]: 'runtime/default', [`${seccomp}allowedProfileNames`]: 'runtime/default,docker/default' },
  },
  { name: 'seccomp may not be set', policy: {}, podAnnotations: { [`${seccomp}pod`]: 'runtime/default' } },
  {
    name: 'seccomp that is not allowed',
    policy: {},
    annotations: { [`${seccomp}allowedProfileNames`]: 'runtime/default' },
    podAnnotations: { [`container.${seccomp}c`]: 'unconfined' },
  },
  {
    name: 'seccomp of any kind',
    policy: {},
    annotations: { [`${seccomp}allowedProfileNames`]: '*' },
    podAnnotations: { [`${seccomp}pod`]: 'unconfined' },
  },
  {
    name: 'AppArmor is set',
    policy: {},
    annotations: { [`${armor}defaultProfileName`]: 'runtime/default', [`${armor}allowedProfileNames`]: 'runtime/default' },
  },
  { name: 'AppArmor must be set', policy: {}, annotations: { [`${armor}allowedProfileNames`]: 'runtime/default' } },
  {
    name: 'AppArmor that is not allowed',
    policy: {},
    annotations: { [`${armor}allowedProfileNames`]: 'runtime/default' },
    podAnnotations: { [`container.${armor}c`]: 'localhost/x' },
  },
  {
    name: 'many faults at once',
    policy: { privileged: false, hostNetwork: false, volumes: ['secret'], runAsUser: ids('MustRunAs', [1, 2]) },
    pod: {
      hostNetwork: true,
      volumes: [{ name: 'a', emptyDir: {} }],
      initContainers: [{ name: 'i', image: 'i', securityContext: { privileged: true } }],
    },
    container: security({ privileged: true, runAsUser: 7 }),
  },
];

/** The policy and the pod of one of them. */
export function objectsOf({ policy, annotations, pod, container, podAnnotations }: Judged): { readonly policy: object; readonly pod: object } {
  return {
    policy: {
      apiVersion: 'policy/v1beta1',
      kind: 'PodSecurityPolicy',
      metadata: { name: 'only', ...(annotations && { annotations }) },
      spec: { ...allowing, ...policy },
    },
    pod: {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'p', ...(podAnnotations && { annotations: podAnnotations }) },
      spec: { ...pod, automountServiceAccountToken: false, containers: [{ name: 'c', image: 'i', ...container }] },
    },
  };
}
