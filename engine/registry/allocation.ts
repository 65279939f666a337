/** What services share, handed out within the attempt of a write: what is taken is taken with the write, or not at all. */
import { assert } from '../base/assert.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import { StatusError } from '../apimachinery/status.ts';
import type { ServiceAllocator } from '../contracts/kind.ts';
import { storedUnder, type WriteCall, type WriteCore } from './core.ts';
import { createObject } from './create.ts';
import { deleteObject } from './delete.ts';
import type { Resource } from './resource.ts';

/** What an allocator sees and changes of its attempt. */
export interface AllocationSource {
  stored(prefix: string): readonly KubeObject[];
  draw(below: number): number;
  /** Of the kind in which a cluster-scoped object says that something is taken. */
  isTaken(group: string, plural: string, name: string): boolean;
  /** Why it may not be taken; undefined when it is. */
  take(group: string, plural: string, object: KubeObject): string | undefined;
  /** That it is not there is no fault. */
  giveBack(group: string, plural: string, name: string): void;
}

const stream = 'apiserver/services';

/** Undefined where nothing allocates. */
export function allocatorFor(core: WriteCore, { own }: Pick<WriteCall, 'own'>): ServiceAllocator | undefined {
  const storedIn = (group: string, plural: string): Resource => {
    const resource = core.table.findStored(group, plural);
    assert(resource !== undefined, `${plural} are stored`);
    return resource;
  };
  return core.dependencies.services?.({
    stored: (prefix) => storedUnder(core.view, prefix),
    draw: (below) => core.random(stream).integer(below),
    isTaken: (group, plural, name) => core.read(storedIn(group, plural), undefined, name) !== undefined,
    take: (group, plural, object: KubeObject) => {
      const resource = storedIn(group, plural);
      if (own === undefined) return undefined;
      try {
        createObject(core, own('create', resource, ''), core.canonical(object, resource));
      } catch (error) {
        if (error instanceof StatusError) return error.status.message ?? '';
        throw error;
      }
      return undefined;
    },
    giveBack: (group, plural, name) => {
      const resource = storedIn(group, plural);
      if (own !== undefined && core.read(resource, undefined, name) !== undefined) deleteObject(core, own('delete', resource, name), {});
    },
  });
}
