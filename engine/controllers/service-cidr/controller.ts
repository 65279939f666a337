/**
 * Keeps ranges of service addresses from going while addresses of them are in use, and tells whether they are ready. Mirrors
 * pkg/controller/servicecidrs/servicecidrs_controller.go.
 */
import type { Condition } from '../../api/meta/v1/types.gen.ts';
import type { IPAddress, ServiceCIDR } from '../../api/networking/v1/types.gen.ts';
import { cidrContains, type ParsedCIDR, parseCIDR, parseIP } from '../../apimachinery/ip.ts';
import { StatusError } from '../../apimachinery/status.ts';
import { formatTime } from '../../apimachinery/time.ts';
import type { Client } from '../../client/client.ts';
import type { Informer, InformerEvent } from '../../client/informer.ts';
import { resourceType } from '../../client/resources.ts';
import { isNotFound } from '../../apimachinery/errors.ts';
import { type Controller, type ReconcileContext, watchOf } from '../../controller-runtime/controller.ts';
import { type ControllerEnvironment, defineController } from '../controller.ts';
import { parseTime } from '../lib/time.ts';

const name = 'service-cidr-controller';
const finalizer = 'networking.k8s.io/service-cidr-finalizer';
const managedByLabel = 'ipaddress.kubernetes.io/managed-by';
const allocator = 'ipallocator.k8s.io';
/** A range that is free is kept a little longer: an address may be on its way. */
const graceMs = 10_000;

const serviceCidrs = resourceType<ServiceCIDR>('networking.k8s.io', 'v1', 'servicecidrs', 'ServiceCIDR', false);
const ipAddresses = resourceType<IPAddress>('networking.k8s.io', 'v1', 'ipaddresses', 'IPAddress', false);

type Verdict = Pick<Condition, 'status' | 'reason' | 'message'>;
const ready: Verdict = { status: 'True', reason: '', message: 'Kubernetes Service CIDR is ready' };
const terminating: Verdict = {
  status: 'False',
  reason: 'Terminating',
  message: 'There are still IPAddresses referencing the ServiceCIDR, please remove them or create a new ServiceCIDR',
};

class ServiceCidrController implements Controller {
  readonly #environment: ControllerEnvironment;
  readonly #cidrs: Informer<ServiceCIDR>;
  readonly #addresses: Informer<IPAddress>;

  constructor(environment: ControllerEnvironment) {
    this.#environment = environment;
    this.#cidrs = environment.informer(serviceCidrs);
    this.#addresses = environment.informer(ipAddresses);
  }

  /** A range that comes may free those that overlap it. */
  keysOfCidr({ type, object }: InformerEvent<ServiceCIDR>): readonly string[] {
    const { name: own = '' } = object.metadata;
    if (type !== 'add') return [own];
    const mine = rangesOf(object);
    const overlapping = this.#cidrs.list().filter((other) => rangesOf(other).some((range) => mine.some((each) => overlaps(range, each))));
    return [...new Set([own, ...overlapping.map(({ metadata }) => metadata.name ?? '')])];
  }

  keysOfAddress({ type, object }: InformerEvent<IPAddress>): readonly string[] {
    if (type === 'update' || object.metadata.labels?.[managedByLabel] !== allocator) return [];
    return this.#containing(object.metadata.name ?? '').map(({ metadata }) => metadata.name ?? '');
  }

  async reconcile({ client, causes }: ReconcileContext, key: string): Promise<void> {
    const cidr = this.#cidrs.get(undefined, key);
    if (cidr === undefined) return;
    const { deletionTimestamp, finalizers = [] } = cidr.metadata;
    if (deletionTimestamp !== undefined) {
      await this.#letGo(client, cidr, causes);
      return;
    }
    if (!finalizers.includes(finalizer)) await patchFinalizers(client, key, [...finalizers, finalizer]);
    try {
      await this.#writeCondition(client, cidr, ready);
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      const message = 'The ServiceCIDR Status can not be set to Ready=True';
      this.#environment.recorder.event(cidr, 'Warning', 'KubernetesServiceCIDRError', message, causes);
      throw error;
    }
  }

  async #letGo(client: Client, cidr: ServiceCIDR, causes: readonly string[]): Promise<void> {
    const { name: own = '', deletionTimestamp, finalizers = [] } = cidr.metadata;
    if (!this.#isFree(cidr)) {
      await this.#writeCondition(client, cidr, terminating);
      return;
    }
    const leftMs = (parseTime(deletionTimestamp) ?? 0) + graceMs - this.#environment.nowMs();
    if (leftMs > 0) this.#environment.enqueueAfter(own, leftMs, causes);
    else if (finalizers.includes(finalizer))
      await patchFinalizers(
        client,
        own,
        finalizers.filter((one) => one !== finalizer),
      );
  }

  /** Another range has all of it, or no address is in it alone. */
  #isFree(cidr: ServiceCIDR): boolean {
    const others = this.#cidrs.list().filter(({ metadata }) => metadata.name !== cidr.metadata.name);
    const mine = rangesOf(cidr);
    if (mine.every((range) => others.some((other) => rangesOf(other).some((each) => contains(each, range))))) return true;
    return !this.#addresses.list().some(({ metadata }) => {
      if (metadata.labels?.[managedByLabel] !== allocator) return false;
      const containing = this.#containing(metadata.name ?? '');
      return containing.length === 1 && containing[0]?.metadata.name === cidr.metadata.name;
    });
  }

  #containing(address: string): readonly ServiceCIDR[] {
    const ip = parseIP(address);
    return ip === undefined ? [] : this.#cidrs.list().filter((cidr) => rangesOf(cidr).some((range) => cidrContains(range, ip)));
  }

  async #writeCondition(client: Client, { metadata, status }: ServiceCIDR, verdict: Verdict): Promise<void> {
    const found = (status?.conditions ?? []).find(({ type }) => type === 'Ready');
    if (found !== undefined && found.status === verdict.status && (found.reason ?? '') === verdict.reason && found.message === verdict.message)
      return;
    const condition = { type: 'Ready', ...verdict, lastTransitionTime: formatTime(this.#environment.nowMs()) };
    const wanted = {
      kind: 'ServiceCIDR',
      apiVersion: 'networking.k8s.io/v1',
      metadata: { name: metadata.name ?? '' },
      status: { conditions: [condition] },
    };
    const options = { subresource: 'status', fieldManager: name, force: true };
    await client.patch(serviceCidrs, undefined, metadata.name ?? '', 'apply', wanted, options);
  }
}

async function patchFinalizers(client: Client, cidr: string, finalizers: readonly string[]): Promise<void> {
  try {
    await client.patch(serviceCidrs, undefined, cidr, 'merge', { metadata: { finalizers: [...finalizers] } });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

function rangesOf({ spec }: ServiceCIDR): readonly ParsedCIDR[] {
  return (spec?.cidrs ?? []).flatMap((text) => parseCIDR(text) ?? []);
}

function overlaps(a: ParsedCIDR, b: ParsedCIDR): boolean {
  return cidrContains(a, b.ip) || cidrContains(b, a.ip);
}

/** Whether `inner` lies in `outer` with all its addresses. */
function contains(outer: ParsedCIDR, inner: ParsedCIDR): boolean {
  return outer.prefixLength <= inner.prefixLength && cidrContains(outer, inner.ip);
}

export const serviceCidrController = defineController<ServiceCidrController>({
  name,
  aliases: ['service-cidr'],
  serviceAccount: 'service-cidrs-controller',
  eventSource: name,
  workers: () => 5,
  watches: [
    watchOf(serviceCidrs, (event, controller: ServiceCidrController) => controller.keysOfCidr(event)),
    watchOf(ipAddresses, (event, controller: ServiceCidrController) => controller.keysOfAddress(event)),
  ],
  create: (environment) => new ServiceCidrController(environment),
});
