/**
 * What a cloud provider offers to controllers: instances, load balancers, routes, disks. Mirrors the interfaces of
 * k8s.io/cloud-provider (cloud.go), one method for each call over the provider's API. Every call takes virtual time and may fail.
 */
import type { Cause } from '../base/causes.ts';

/** Every call there is, by the name that faults use. */
export const cloudOperations = [
  'getInstance',
  'getLoadBalancer',
  'ensureLoadBalancer',
  'updateLoadBalancer',
  'deleteLoadBalancer',
  'listRoutes',
  'createRoute',
  'deleteRoute',
  'getDisk',
  'listDisks',
  'createDisk',
  'deleteDisk',
  'resizeDisk',
  'attachDisk',
  'detachDisk',
] as const;

export type CloudOperation = (typeof cloudOperations)[number];

/** What there may be only so many of. */
export type CloudQuotaKind = 'load-balancers' | 'routes' | 'disks';

/** `NotFound` and `Conflict` are the caller's affair; the rest are the provider's. */
export type CloudErrorReason =
  | 'NotFound'
  | 'Conflict'
  | 'Invalid'
  | 'QuotaExceeded'
  | 'RateLimitExceeded'
  | 'InternalError'
  | 'Unauthorized'
  | 'Unavailable';

/** A call that the provider refused or lost. A reconcile may let it pass: the key is retried with back-off. */
export class CloudError extends Error {
  readonly reason: CloudErrorReason;

  constructor(reason: CloudErrorReason, message: string) {
    super(message);
    this.name = 'CloudError';
    this.reason = reason;
  }
}

/** A machine, as the provider knows it. */
export interface CloudInstance {
  /** `wavetank://zone/name`, as `spec.providerID` of its Node. */
  readonly providerId: string;
  readonly name: string;
  readonly zone: string;
  readonly region: string;
  readonly instanceType: string;
  /** In the form of a Node's status. */
  readonly addresses: readonly { readonly type: string; readonly address: string }[];
  /** It exists and is switched off. */
  readonly isShutDown: boolean;
}

export interface CloudLoadBalancerRequest {
  readonly name: string;
  /** `TCP 80 30080`: protocol, port, port of the nodes. */
  readonly ports: readonly string[];
  readonly nodes: readonly string[];
  readonly sourceRanges: readonly string[];
  /** An address that is wanted, of the provider's range; '' for any. */
  readonly address: string;
}

export interface CloudLoadBalancer {
  readonly name: string;
  readonly address: string;
  readonly ports: readonly string[];
  readonly nodes: readonly string[];
  readonly sourceRanges: readonly string[];
}

export interface CloudRoute {
  readonly name: string;
  readonly targetNode: string;
  readonly destinationCidr: string;
  /** It leads nowhere: its instance is gone. */
  readonly isBlackhole: boolean;
}

export interface CloudDisk {
  readonly name: string;
  readonly zone: string;
  readonly sizeBytes: number;
  /** The instance that has it; '' for none. */
  readonly attachedTo: string;
}

/** Calls of one reconcile. They reject with CloudError. */
export interface CloudCalls {
  /** Why these calls are made, and the faults met on the way so far: what is written afterwards has them as causes. */
  readonly causes: readonly Cause[];
  /** Undefined when there is none, of that name or, where it is not '', of that provider id. */
  getInstance(name: string, providerId: string): Promise<CloudInstance | undefined>;
  getLoadBalancer(name: string): Promise<CloudLoadBalancer | undefined>;
  /** Makes it, or changes it to what is asked; its address stays. */
  ensureLoadBalancer(request: CloudLoadBalancerRequest): Promise<CloudLoadBalancer>;
  updateLoadBalancer(name: string, nodes: readonly string[]): Promise<void>;
  /** Fine when there is none. */
  deleteLoadBalancer(name: string): Promise<void>;
  listRoutes(): Promise<readonly CloudRoute[]>;
  createRoute(route: Pick<CloudRoute, 'name' | 'targetNode' | 'destinationCidr'>): Promise<void>;
  deleteRoute(name: string): Promise<void>;
  getDisk(name: string): Promise<CloudDisk | undefined>;
  /** Disks attached to an instance. */
  listDisks(instance: string): Promise<readonly CloudDisk[]>;
  /** A disk of that name and size that is there already is the one. */
  createDisk(disk: Pick<CloudDisk, 'name' | 'zone' | 'sizeBytes'>): Promise<CloudDisk>;
  /** Fine when there is none; refused while it is attached. */
  deleteDisk(name: string): Promise<void>;
  /** Never shrinks. */
  resizeDisk(name: string, sizeBytes: number): Promise<CloudDisk>;
  /** To one instance of its own zone at a time, at most so many to each; fine when it is there already. */
  attachDisk(name: string, instance: string): Promise<CloudDisk>;
  detachDisk(name: string, instance: string): Promise<void>;
}

export interface CloudProvider {
  readonly name: string;
  /** Disks that one instance can have. */
  readonly disksPerInstanceMax: number;
  /** `component` is the caller's, in whose name calls are in flight. */
  calls(component: string, causes: readonly Cause[]): CloudCalls;
}
