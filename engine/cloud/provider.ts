/**
 * The simulated cloud provider: the machines of the cluster as instances, load balancers, routes and disks. What it has is declared
 * data on the cluster's clock; a call is one in flight of its caller, and what it does happens when it arrives.
 */
import { type Cause, mergeCauses } from '../base/causes.ts';
import { cloudInstanceGone, cloudInstanceStopped, type FaultPoints, volumeDisk } from '../base/fault-points.ts';
import type { RandomStream } from '../base/random.ts';
import { Slots } from '../base/slots.ts';
import type { TaskLoop } from '../base/task-loop.ts';
import type {
  CloudCalls,
  CloudDisk,
  CloudInstance,
  CloudLoadBalancer,
  CloudLoadBalancerRequest,
  CloudProvider,
  CloudRoute,
} from '../contracts/cloud.ts';
import { addressAt } from './addresses.ts';
import { Disks } from './disks.ts';
import { type CloudCall, CloudGate } from './gate.ts';
import { LoadBalancers } from './load-balancers.ts';
import { disksPerInstanceMax, instanceRangeFirst } from './physics.ts';
import { Routes } from './routes.ts';

/** A machine that the provider lends. */
export interface RentedMachine {
  readonly name: string;
  readonly zone: string;
  readonly region: string;
  readonly instanceType: string;
  readonly address: string;
  /** Its number among all machines. */
  readonly slot: number;
}

export interface SimulatedCloudOptions {
  readonly loop: Pick<TaskLoop, 'after' | 'nowMs'>;
  readonly random: RandomStream;
  readonly points: FaultPoints;
  machine(name: string): RentedMachine | undefined;
}

export const simulatedCloudName = 'wavetank';

export class SimulatedCloud implements CloudProvider {
  readonly name = simulatedCloudName;
  readonly disksPerInstanceMax = disksPerInstanceMax;
  readonly slots = new Slots();
  readonly loop: SimulatedCloudOptions['loop'];
  readonly gate: CloudGate;
  readonly balancers: LoadBalancers;
  readonly routes: Routes;
  readonly disks: Disks;
  readonly #options: SimulatedCloudOptions;

  constructor(options: SimulatedCloudOptions) {
    const { loop, points, random } = options;
    this.#options = options;
    this.loop = loop;
    this.gate = new CloudGate(points, random, this.slots, () => loop.nowMs());
    this.balancers = new LoadBalancers(this.slots);
    this.routes = new Routes(this.slots, (name) => this.instance(name) !== undefined);
    this.disks = new Disks(
      this.slots,
      (name) => this.instance(name),
      (name) => points.value(volumeDisk, name) === 'gone',
    );
  }

  calls(component: string, causes: readonly Cause[]): CloudCalls {
    return new SimulatedCalls(this, component, causes);
  }

  /** The machine of that name, unless a fault has ended it. */
  instance(name: string): CloudInstance | undefined {
    const { points, machine } = this.#options;
    const found = machine(name);
    if (found === undefined || points.value(cloudInstanceGone, name)) return undefined;
    const { zone, region, instanceType, address, slot } = found;
    return {
      providerId: providerIdOf(name, zone),
      name,
      zone,
      region,
      instanceType,
      addresses: [
        { type: 'InternalIP', address },
        { type: 'ExternalIP', address: addressAt(instanceRangeFirst, slot) },
        { type: 'Hostname', address: name },
      ],
      isShutDown: points.value(cloudInstanceStopped, name),
    };
  }

  /** Why an instance is not there, or is off. */
  causesOfInstance(name: string): readonly Cause[] {
    const { points } = this.#options;
    if (points.calm) return [];
    return mergeCauses(points.causes(cloudInstanceGone, name), points.causes(cloudInstanceStopped, name));
  }
}

/** `wavetank://zone/name`. */
function providerIdOf(name: string, zone: string): string {
  return `${simulatedCloudName}://${zone === '' ? '' : `${zone}/`}${name}`;
}

class SimulatedCalls implements CloudCalls {
  readonly #cloud: SimulatedCloud;
  readonly #component: string;
  #causes: readonly Cause[];

  constructor(cloud: SimulatedCloud, component: string, causes: readonly Cause[]) {
    this.#cloud = cloud;
    this.#component = component;
    this.#causes = causes;
  }

  get causes(): readonly Cause[] {
    return this.#causes;
  }

  getInstance(name: string, providerId: string): Promise<CloudInstance | undefined> {
    return this.#call({ operation: 'getInstance', subject: name, instance: name }, () => {
      this.#causes = mergeCauses(this.#causes, this.#cloud.causesOfInstance(name));
      const found = this.#cloud.instance(name);
      return providerId === '' || found?.providerId === providerId ? found : undefined;
    });
  }

  getLoadBalancer(name: string): Promise<CloudLoadBalancer | undefined> {
    return this.#call({ operation: 'getLoadBalancer', subject: name, instance: '' }, () => this.#cloud.balancers.get(name));
  }

  ensureLoadBalancer(request: CloudLoadBalancerRequest): Promise<CloudLoadBalancer> {
    const { balancers } = this.#cloud;
    const grows = { kind: 'load-balancers', count: balancers.count } as const;
    const call = { operation: 'ensureLoadBalancer', subject: request.name, instance: '' } as const;
    return this.#call(balancers.get(request.name) === undefined ? { ...call, grows } : call, () => balancers.ensure(request));
  }

  updateLoadBalancer(name: string, nodes: readonly string[]): Promise<void> {
    return this.#call({ operation: 'updateLoadBalancer', subject: name, instance: '' }, () => this.#cloud.balancers.update(name, nodes));
  }

  deleteLoadBalancer(name: string): Promise<void> {
    return this.#call({ operation: 'deleteLoadBalancer', subject: name, instance: '' }, () => this.#cloud.balancers.delete(name));
  }

  listRoutes(): Promise<readonly CloudRoute[]> {
    return this.#call({ operation: 'listRoutes', subject: '', instance: '' }, () => this.#cloud.routes.list());
  }

  createRoute(route: Pick<CloudRoute, 'name' | 'targetNode' | 'destinationCidr'>): Promise<void> {
    const { routes } = this.#cloud;
    const grows = { kind: 'routes', count: routes.count } as const;
    return this.#call({ operation: 'createRoute', subject: route.name, instance: route.targetNode, grows }, () => routes.create(route));
  }

  deleteRoute(name: string): Promise<void> {
    return this.#call({ operation: 'deleteRoute', subject: name, instance: '' }, () => this.#cloud.routes.delete(name));
  }

  getDisk(name: string): Promise<CloudDisk | undefined> {
    return this.#call({ operation: 'getDisk', subject: name, instance: '' }, () => this.#cloud.disks.get(name));
  }

  listDisks(instance: string): Promise<readonly CloudDisk[]> {
    return this.#call({ operation: 'listDisks', subject: instance, instance }, () => this.#cloud.disks.attachedTo(instance));
  }

  createDisk(disk: Pick<CloudDisk, 'name' | 'zone' | 'sizeBytes'>): Promise<CloudDisk> {
    const { disks } = this.#cloud;
    const grows = { kind: 'disks', count: disks.count } as const;
    return this.#call({ operation: 'createDisk', subject: disk.name, instance: '', grows }, () => disks.create(disk));
  }

  deleteDisk(name: string): Promise<void> {
    return this.#call({ operation: 'deleteDisk', subject: name, instance: '' }, () => this.#cloud.disks.delete(name));
  }

  resizeDisk(name: string, sizeBytes: number): Promise<CloudDisk> {
    return this.#call({ operation: 'resizeDisk', subject: name, instance: '' }, () => this.#cloud.disks.resize(name, sizeBytes));
  }

  attachDisk(name: string, instance: string): Promise<CloudDisk> {
    return this.#call({ operation: 'attachDisk', subject: name, instance }, () => this.#cloud.disks.attach(name, instance));
  }

  detachDisk(name: string, instance: string): Promise<void> {
    return this.#call({ operation: 'detachDisk', subject: name, instance }, () => this.#cloud.disks.detach(name, instance));
  }

  #call<T>(call: CloudCall, act: () => T): Promise<T> {
    const { loop, gate } = this.#cloud;
    const { delayMs, causes, error } = gate.pass(call);
    this.#causes = mergeCauses(this.#causes, causes);
    return loop.after(delayMs, this.#component, () => {
      if (error !== undefined) throw error;
      return act();
    });
  }
}
