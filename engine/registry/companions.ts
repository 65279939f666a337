/** What is deleted with an object: what has its name, and what its kind says. Mirrors afterDelete of pkg/registry/core/service/storage/storage.go. */
import { assert } from '../base/assert.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import type { WriteCall, WriteCore } from './core.ts';
import { markHeld } from './deletion.ts';
import { objectKey, type Resource } from './resource.ts';

/** Finalizers hold it as if somebody had deleted it himself; that it is not there is no fault. */
export function takeAlong(core: WriteCore, call: WriteCall, { kind }: Resource, object: KubeObject): void {
  if (call.dryRun) return;
  if (kind.takesAlong !== undefined) takeNamed(core, call, kind.takesAlong);
  kind.afterDelete?.(object, core.context(call));
}

function takeNamed(core: WriteCore, { namespace, name }: WriteCall, { group, plural }: { readonly group: string; readonly plural: string }): void {
  const companion = core.table.findStored(group, plural);
  assert(companion !== undefined, `${plural} are stored`);
  const object = core.read(companion, namespace, name)?.value;
  if (object === undefined) return;
  const key = objectKey(companion, namespace, name);
  if ((object.metadata.finalizers?.length ?? 0) === 0) core.drop(key);
  else core.put(key, markHeld(object, core.nowText(), false));
}
