/**
 * An edit on its way: what was changed since it began is put upon the object as it is now, asked of the API server as a dry run, and
 * applied. What others changed meanwhile is never taken back unseen.
 */
import { isObject, type JsonObject } from '../../engine/base/json.ts';
import { ApiError, request } from '../api/request.ts';
import { type Change, changesBetween, mergePatch, mergeThree, overlaps } from './changes.ts';
import { editableOf } from './editable.ts';

/** The page's own name among those who manage fields. */
export const fieldManager = 'wavetank-page';

export type Plan =
  | { readonly kind: 'unchanged' | 'renamed' | 'deleted' | 'replaced' }
  | { readonly kind: 'conflict'; readonly live: JsonObject; readonly fields: ReturnType<typeof overlaps> }
  | { readonly kind: 'refused'; readonly error: ApiError }
  | {
      readonly kind: 'ready';
      readonly live: JsonObject;
      readonly patch: JsonObject;
      /** As it would be. */
      readonly result: JsonObject;
      readonly warnings: readonly string[];
      /** What others changed since the edit began. */
      readonly theirs: readonly Change[];
    };

/** Asks what would come of it. `base` is the object that the edit began with, `edited` what it is to be. */
export async function planEdit(path: string, base: JsonObject, edited: JsonObject): Promise<Plan> {
  const [from, mine] = [editableOf(base), editableOf(edited)];
  if (nameOf(from) !== nameOf(mine)) return { kind: 'renamed' };
  const mineChanges = changesBetween(from, mine);
  if (mineChanges.length === 0) return { kind: 'unchanged' };
  const live = await readLive(path);
  if (live === undefined) return { kind: 'deleted' };
  if (uidOf(live) !== uidOf(base)) return { kind: 'replaced' };
  const now = editableOf(live);
  const theirs = changesBetween(from, now);
  const fields = overlaps(mineChanges, theirs);
  if (fields.length > 0) return { kind: 'conflict', live, fields };
  const merged = mergeThree(from, mine, now, 'mine');
  const patch = isObject(merged) ? mergePatch(now, merged) : undefined;
  if (patch === undefined) return { kind: 'unchanged' };
  let warnings: readonly string[] = [];
  try {
    const result = await send(path, patch, undefined, (told) => {
      warnings = told;
    });
    return { kind: 'ready', live, patch, result, warnings, theirs };
  } catch (error) {
    if (error instanceof ApiError) return { kind: 'refused', error };
    throw error;
  }
}

const triesMax = 20;

/**
 * Undefined: what people write of the object changed since the plan was made, and nothing was applied. Its status may change as fast as
 * virtual time runs: that alone changes nothing of the plan.
 */
export async function applyPlan(path: string, { patch, live: planned }: Plan & { readonly kind: 'ready' }): Promise<JsonObject | undefined> {
  let live: JsonObject | undefined = planned;
  for (let tries = 0; tries < triesMax && live !== undefined && isAsPlanned(live, planned); tries++) {
    try {
      return await send(path, patch, live);
    } catch (error) {
      if (!isConflict(error)) throw error;
    }
    live = await readLive(path);
  }
  return undefined;
}

function isAsPlanned(live: JsonObject, planned: JsonObject): boolean {
  return uidOf(live) === uidOf(planned) && changesBetween(editableOf(planned), editableOf(live)).length === 0;
}

/** Stands only upon the revision of `live`; without one it is a dry run. */
async function send(
  path: string,
  patch: JsonObject,
  live: JsonObject | undefined,
  onWarnings?: (warnings: readonly string[]) => void,
): Promise<JsonObject> {
  const revision = live && { resourceVersion: metadataOf(live)['resourceVersion'] ?? null };
  const metadata = { ...(isObject(patch['metadata']) ? patch['metadata'] : {}), ...revision };
  const query = new URLSearchParams({ fieldManager, fieldValidation: 'Strict', ...(live ? {} : { dryRun: 'All' }) });
  const answer = await request(`${path}?${query.toString()}`, {
    method: 'PATCH',
    body: { ...patch, metadata },
    ...(onWarnings ? { onWarnings } : {}),
  });
  return answer as unknown as JsonObject;
}

async function readLive(path: string): Promise<JsonObject | undefined> {
  try {
    return (await request(path)) as unknown as JsonObject;
  } catch (error) {
    if (error instanceof ApiError && error.code === 404) return undefined;
    throw error;
  }
}

function isConflict(error: unknown): boolean {
  return error instanceof ApiError && error.code === 409 && error.reason === 'Conflict';
}

function metadataOf(object: JsonObject): JsonObject {
  return isObject(object['metadata']) ? object['metadata'] : {};
}

function uidOf(object: JsonObject): unknown {
  return metadataOf(object)['uid'];
}

function nameOf(object: JsonObject): string {
  const { name, namespace, uid } = metadataOf(object);
  return JSON.stringify([object['apiVersion'], object['kind'], namespace, name, uid]);
}
