/**
 * Shared informers over HTTPS: a list, then watches from where it ended. A watch that ends is taken up again, one that is too old
 * (410) is listed anew and the difference told. Mirrors client-go tools/cache/reflector.go; its back-off is 0.8 s doubling to 30 s.
 */
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { KubeList, KubeObject } from '../../apimachinery/object.ts';
import type { WatchEvent } from '../../contracts/request.ts';
import { type Status, StatusError } from '../../apimachinery/status.ts';
import { CachedInformer, causesOf, type HandlerCrash, idOf, redeliveryMs } from '../../client/cached-informer.ts';
import type { ResourceType } from '../../client/client.ts';
import { type Informer, type InformerFactory, keyOf } from '../../client/informer.ts';
import { answeredBy, type Arrivals, type Connection, readBytes } from './connection.ts';
import { pathOf, queryOf, withKinds } from './https-client.ts';
import { ServedTypes } from './served-types.ts';
import { WatchReader } from './watch-reader.ts';
import { WireForms } from './wire-forms.ts';

export interface HttpsInformerOptions {
  readonly connection: Connection;
  readonly arrivals: Arrivals;
  readonly component: string;
  /** In which versions the server has what is asked for; each type's own when absent. */
  readonly served?: ServedTypes;
  /** JSON when absent. */
  readonly forms?: WireForms;
  /** Hears why a list or watch ended badly. */
  readonly onError: (resource: string, error: Error) => void;
}

const backoffMinMs = 800;
const backoffMaxMs = 30_000;
const watchSeconds = 300;

export class HttpsInformers implements InformerFactory {
  readonly #options: HttpsInformerOptions;
  readonly #informers = new Map<string, HttpsInformer<KubeObject>>();
  #started = false;

  constructor(options: HttpsInformerOptions) {
    this.#options = options;
  }

  informer<T extends KubeObject>(type: ResourceType<T>): Informer<T> {
    const id = idOf(type);
    let informer = this.#informers.get(id);
    if (informer === undefined) {
      informer = new HttpsInformer<KubeObject>(type, this.#options, (this.#options.served ?? new ServedTypes()).of(type));
      this.#informers.set(id, informer);
      if (this.#started) void informer.start();
    }
    return informer as unknown as Informer<T>;
  }

  /** Starts all; resolves when every first list has been delivered. `onSynced` is called at each of them. */
  async start(onSynced: () => void = () => undefined): Promise<void> {
    this.#started = true;
    await Promise.all([...this.#informers.values()].map((informer) => informer.start().then(onSynced)));
  }

  close(): void {
    for (const informer of this.#informers.values()) informer.close();
  }
}

class HttpsInformer<T extends KubeObject> extends CachedInformer<T> {
  readonly #options: HttpsInformerOptions;
  /** The type in the server's version; undefined where the server has it in none. */
  readonly #served: ResourceType<T> | undefined;
  readonly #forms: WireForms;
  #resourceVersion: string | undefined;
  #backoffMs = backoffMinMs;
  #watch: ClientRequest | undefined;
  #endSleep: (() => void) | undefined;
  #closed = false;

  constructor(type: ResourceType<T>, options: HttpsInformerOptions, served: ResourceType<T> | undefined) {
    super(type);
    this.#forms = options.forms ?? new WireForms();
    this.#served = served;
    this.#options = options;
  }

  start(): Promise<void> {
    const { arrivals, component, onError } = this.#options;
    return new Promise((resolve) => {
      if (this.#served !== undefined) return void this.#follow(this.#served, resolve);
      onError(idOf(this.type), new Error('the server has no such resource, and nothing is seen of it'));
      arrivals.deliver(component, () => {
        this.markSynced();
        resolve();
      });
    });
  }

  close(): void {
    this.#closed = true;
    this.#watch?.destroy();
    this.#endSleep?.();
  }

  async #follow(served: ResourceType<T>, onSynced: () => void): Promise<void> {
    while (!this.#closed) {
      try {
        if (this.#resourceVersion === undefined) await this.#relist(served, onSynced);
        await this.#watchOnce(served);
        await this.#sleep(backoffMinMs);
      } catch (error) {
        if (this.#closed) return;
        if (error instanceof StatusError && error.status.code === 410) {
          this.#resourceVersion = undefined;
          await this.#sleep(backoffMinMs);
          continue;
        }
        this.#options.onError(idOf(this.type), error as Error);
        await this.#sleep(this.#backoffMs);
        this.#backoffMs = Math.min(this.#backoffMs * 2, backoffMaxMs);
      }
    }
  }

  async #relist(served: ResourceType<T>, onSynced: () => void): Promise<void> {
    const { connection, arrivals, component } = this.#options;
    const { group, resource } = served;
    const answer = await connection.exchange('GET', pathOf(served, undefined), this.#forms.accepts(served));
    const list = withKinds(this.type, this.#forms.read<KubeList<T>>(answer, { method: 'GET', group, resource }));
    this.#resourceVersion = list.metadata.resourceVersion;
    arrivals.deliver(component, () => {
      this.replace(list.items);
      this.markSynced();
      onSynced();
    });
  }

  async #watchOnce(served: ResourceType<T>): Promise<void> {
    const query = { watch: true, allowWatchBookmarks: true, resourceVersion: this.#resourceVersion, timeoutSeconds: watchSeconds };
    const call = this.#options.connection.watch(pathOf(served, undefined) + queryOf(query), this.#forms.accepts(served));
    this.#watch = call;
    // Where nothing has ever happened a server sends no bookmarks either for ten minutes: whether it is still there is asked by watching anew.
    let [isOpen, isSilent] = [false, false];
    call.on('response', () => (isOpen = true)).on('timeout', () => (isSilent = isOpen));
    try {
      await this.#read(call, served);
    } catch (error) {
      if (!isSilent) throw error;
    }
  }

  async #read(call: ClientRequest, { group, resource }: ResourceType): Promise<void> {
    const response = await new Promise<IncomingMessage>((resolve, reject) => call.on('response', resolve).on('error', reject));
    const code = response.statusCode ?? 500;
    if (code >= 400) throw this.#forms.refusal(answeredBy(response, await readBytes(response)), { method: 'GET', group, resource });
    const events = new WatchReader(this.#forms, response.headers['content-type'] ?? '');
    for await (const chunk of response) this.#receive(events.eventsIn<T>(chunk as Buffer));
  }

  /** Events of one chunk travel together, in order. */
  #receive(events: readonly WatchEvent<T | Status>[]): void {
    const changes: WatchEvent<T>[] = [];
    let error: StatusError | undefined;
    for (const { type, object } of events) {
      if (type === 'ERROR') {
        error = new StatusError(object as Status);
        break;
      }
      this.#resourceVersion = (object as T).metadata.resourceVersion;
      if (type !== 'BOOKMARK') changes.push({ type, object: object as T });
    }
    this.#backoffMs = backoffMinMs;
    if (changes.length > 0) this.#options.arrivals.deliver(this.#options.component, () => this.#apply(changes));
    if (error !== undefined) throw error;
  }

  #apply(changes: readonly WatchEvent<T>[]): void {
    for (const { type, object } of changes) {
      if (type === 'DELETED') this.remove(object, causesOf(object));
      else this.store(object, causesOf(object));
    }
  }

  protected handlerCrashed(crash: HandlerCrash<T>, owner: string | undefined, error: unknown): void {
    const { loop } = this.#options.arrivals;
    const component = owner ?? this.#options.component;
    loop.crashed(component, `${this.type.resource} ${keyOf(crash.event.object)}`, error);
    loop.soon(redeliveryMs(crash.attempts), component, () => this.redeliver(crash));
  }

  #sleep(ms: number): Promise<void> {
    if (this.#closed) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#endSleep = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
