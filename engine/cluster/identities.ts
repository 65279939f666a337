/** Who the parts of a cluster are, under upstream's names. */
import { serviceAccountIdentity } from '../apiserver/auth/authenticator.ts';
import { superuserGroup } from '../contracts/access.ts';
import type { Identity } from '../contracts/request.ts';

const authenticated = 'system:authenticated';

/** The API server itself: bootstrap objects, expiry of events. */
export const apiServerIdentity: Identity = { name: 'system:apiserver', groups: [superuserGroup, authenticated] };
export const adminIdentity: Identity = { name: 'kubernetes-admin', groups: [superuserGroup, authenticated] };
export const controllerManagerIdentity: Identity = { name: 'system:kube-controller-manager', groups: [authenticated] };
export const schedulerIdentity: Identity = { name: 'system:kube-scheduler', groups: [authenticated] };
/** The laws of the simulation: machines, faults, scenarios; their own files say what they may do. */
export const machinesIdentity: Identity = { name: 'system:wavetank:machines', groups: [authenticated] };
export const faultsIdentity: Identity = { name: 'system:wavetank:faults', groups: [authenticated] };
/** The sidecars of the CSI driver that ships with the cluster. */
export const csiIdentity: Identity = { name: 'system:wavetank:csi', groups: [authenticated] };
/** Plays the stages of KWOK. */
export const kwokIdentity: Identity = { name: 'system:wavetank:kwok', groups: [authenticated] };
export const scenariosIdentity: Identity = { name: 'system:wavetank:scenarios', groups: [authenticated] };

/** Somebody who is acted as by name; service accounts are in their groups. */
export function userIdentity(name: string): Identity {
  const [, namespace] = /^system:serviceaccount:([^:]+):[^:]+$/.exec(name) ?? [];
  const groups = namespace === undefined ? [] : ['system:serviceaccounts', `system:serviceaccounts:${namespace}`];
  return { name, groups: [...groups, authenticated] };
}

export function kubeletIdentity(node: string): Identity {
  return { name: ['system:node', node].join(':'), groups: ['system:nodes', authenticated] };
}

export function controllerIdentity(serviceAccount: string): Identity {
  return serviceAccountIdentity('kube-system', serviceAccount);
}

/** `gitVersion` is that of the release. */
export function userAgent(component: string, gitVersion: string): string {
  return `${component}/${gitVersion} (wavetank) kubernetes`;
}
