/** Which class stands for an extended resource. Mirrors dynamic-resource-allocation/deviceclass/extendedresourcecache. */
import type { DeviceClass } from '../api/resource/v1/types.gen.ts';
import { resourceOfClass } from '../component-helpers/resource-names.ts';

export class ClassesByResource {
  readonly #list: () => readonly DeviceClass[];
  #known: ReadonlyMap<string, DeviceClass> | undefined;

  constructor(list: () => readonly DeviceClass[]) {
    this.#list = list;
  }

  /** They changed. */
  forget(): void {
    this.#known = undefined;
  }

  get(resource: string): DeviceClass | undefined {
    return (this.#known ??= byResource(this.#list())).get(resource);
  }
}

/** Of several with one name the youngest counts, of equally young ones the first by name. */
function byResource(classes: readonly DeviceClass[]): ReadonlyMap<string, DeviceClass> {
  const found = new Map<string, DeviceClass>();
  for (const one of classes.toSorted(youngestFirst)) {
    const { extendedResourceName } = one.spec;
    if (extendedResourceName !== undefined && !found.has(extendedResourceName)) found.set(extendedResourceName, one);
  }
  for (const one of classes) found.set(resourceOfClass(one.metadata.name ?? ''), one);
  return found;
}

function youngestFirst({ metadata: a }: DeviceClass, { metadata: b }: DeviceClass): number {
  const [born, otherBorn] = [a.creationTimestamp ?? '', b.creationTimestamp ?? ''];
  if (born !== otherBorn) return born > otherBorn ? -1 : 1;
  return (a.name ?? '') < (b.name ?? '') ? -1 : 1;
}
