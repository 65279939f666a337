/**
 * Services as they were when a container started: a container's environment is made once, whatever becomes of the services that it
 * tells of. What has changed since is kept as long as a container runs that started before. Mirrors what getServiceEnvVarMap of
 * pkg/kubelet/kubelet_pods.go hands to a runtime.
 */
import type { Service } from '../api/core/v1/types.gen.ts';
import { parseTime } from '../apimachinery/time.ts';
import { countWhile } from '../base/bisect.ts';
import { type Codec, data, fixedList, mapOf, number, shape } from '../base/codecs.ts';
import { deepEqual } from '../base/equal.ts';
import type { JsonValue } from '../base/json.ts';
import type { Slots } from '../base/slots.ts';
import { type Informer, keyOf } from '../client/informer.ts';
import { type ServedService, toServed } from './kubelet/service-env.ts';

interface Former {
  readonly service: ServedService;
  /** The kubelets knew it so from then on, and no longer at the other instant. */
  readonly sinceMs: number;
  readonly untilMs: number;
}

const formerCodec: Codec<readonly Former[]> = fixedList(shape<Former>({ service: data<ServedService>(), sinceMs: number, untilMs: number }));
/** The API server's service, which containers of all namespaces are told of. */
const masterKey = 'default/kubernetes';

export interface ServiceVersionsOptions {
  readonly informer: Informer<Service>;
  readonly slots: Slots;
  nowMs(): number;
  /** When the containers started that run in a namespace; in all of them without one. */
  startsOf(namespace: string | undefined): readonly number[];
}

export class ServiceVersions {
  readonly #options: ServiceVersionsOptions;
  /** By key, since when it is as it is. */
  readonly #since: Map<string, number>;
  /** By namespace; those of the API server's service by their key. */
  readonly #former = new Map<string, readonly Former[]>();

  constructor(options: ServiceVersionsOptions) {
    this.#options = options;
    const { informer, slots } = options;
    this.#since = slots.map('since', number);
    const former = this.#former;
    slots.field(
      'former',
      mapOf(formerCodec) as Codec<Map<string, readonly Former[]>>,
      () => former,
      (saved) => {
        former.clear();
        for (const [key, versions] of saved) former.set(key, versions);
      },
    );
    informer.addHandler((event) => {
      const key = keyOf(event.object);
      if (event.type === 'delete') this.#retire(key, event.object);
      else if (event.type === 'add') this.#since.set(key, this.#since.get(key) ?? this.#options.nowMs());
      else if (!deepEqual(toServed(event.old) as unknown as JsonValue, toServed(event.object) as unknown as JsonValue)) {
        this.#retire(key, event.old);
        this.#since.set(key, this.#options.nowMs());
      }
    });
  }

  /** The services of a namespace as they were at an instant, by name. */
  at(namespace: string, ms: number): readonly ServedService[] {
    const found = this.#options.informer.list(namespace).filter((service) => this.#sinceMs(service) <= ms);
    const former = [namespace, ...(masterKey.startsWith(`${namespace}/`) ? [masterKey] : [])].flatMap((group) => this.#former.get(group) ?? []);
    const served = found.map(toServed);
    const then = former.filter(({ sinceMs, untilMs }) => sinceMs <= ms && ms < untilMs).map(({ service }) => service);
    return then.length === 0 ? served : [...served, ...then].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** A state of an earlier build says nothing of it. */
  #sinceMs(service: Service): number {
    return this.#since.get(keyOf(service)) ?? parseTime(service.metadata.creationTimestamp ?? '') ?? 0;
  }

  #retire(key: string, service: Service): void {
    const untilMs = this.#options.nowMs();
    const sinceMs = Math.min(this.#sinceMs(service), untilMs);
    this.#since.delete(key);
    const group = key === masterKey ? key : (service.metadata.namespace ?? '');
    const starts = [...this.#options.startsOf(key === masterKey ? undefined : group)].sort((a, b) => a - b);
    const versions = [...(this.#former.get(group) ?? []), { service: toServed(service), sinceMs, untilMs }];
    const needed = versions.filter((version) => isNeeded(version, starts));
    if (needed.length === 0) this.#former.delete(group);
    else this.#former.set(group, needed);
  }
}

/** `starts` in order. */
function isNeeded({ sinceMs, untilMs }: Former, starts: readonly number[]): boolean {
  const from = countWhile(starts.length, (index) => (starts[index] ?? 0) < sinceMs);
  return (starts[from] ?? Number.POSITIVE_INFINITY) < untilMs;
}
