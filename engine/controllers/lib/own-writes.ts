/**
 * What a controller wrote and its informer has not shown yet, so that it does not decide twice on what was true before (client-go's
 * caches in front of informers, e.g. that of the persistent volume controller).
 */
import { data } from '../../base/codecs.ts';
import type { Slots } from '../../base/slots.ts';
import type { KubeObject } from '../../apimachinery/object.ts';
import { type Informer, keyOf } from '../../client/informer.ts';

export class OwnWrites<T extends KubeObject> {
  readonly #informer: Informer<T>;
  readonly #written: Map<string, T>;

  /** Made before the controller's watches, so that these see it up to date. */
  constructor(informer: Informer<T>, slots: Slots, name: string) {
    this.#informer = informer;
    this.#written = slots.map(name, data<T>());
    informer.addHandler(({ type, object }) => {
      const written = this.#written.get(keyOf(object));
      if (written !== undefined && (type === 'delete' || !isNewer(written, object))) this.#written.delete(keyOf(object));
    });
  }

  get(namespace: string | undefined, name: string): T | undefined {
    return this.#written.get(namespace === undefined || namespace === '' ? name : `${namespace}/${name}`) ?? this.#informer.get(namespace, name);
  }

  /** The newest there is of an object of the informer. */
  newest(object: T): T {
    return this.#written.get(keyOf(object)) ?? object;
  }

  /** Takes the answer to an update. What has gone meanwhile is not kept. */
  keep(object: T): T {
    const { namespace, name = '' } = object.metadata;
    const known = this.#informer.get(namespace, name);
    if (known !== undefined && known.metadata.uid === object.metadata.uid && isNewer(object, known)) this.#written.set(keyOf(object), object);
    return object;
  }
}

function isNewer(a: KubeObject, b: KubeObject): boolean {
  return Number(a.metadata.resourceVersion) > Number(b.metadata.resourceVersion);
}
