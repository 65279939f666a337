/** Objects from a text, made or changed one after the other by server-side apply, or tried first without doing it. */
import { fieldSelector } from '../../lib/field-selector.ts';
import type { KubeObject } from '../../../engine/apimachinery/object.ts';
import { isObject, type JsonObject } from '../../../engine/base/json.ts';
import { ApiError, request } from '../../api/request.ts';
import { collectionPath, type Resource, rowIdOf, useResources } from '../../api/resources.ts';
import type { Manifest } from '../../editor/check-text.ts';
import { changesBetween } from '../../editor/changes.ts';
import { editableOf } from '../../editor/editable.ts';
import type { Gvk } from '../../editor/schema.ts';
import { fieldManager } from '../../editor/send.ts';
import { texts } from '../../texts/texts.ts';

const words = texts.create;

export interface Outcome {
  readonly manifest: Manifest;
  readonly state: 'created' | 'changed' | 'unchanged' | 'refused' | 'waits';
  /** Of what the API server refused. */
  readonly error?: ApiError;
  /** Why it is refused, or what it waits for. */
  readonly text: string;
  readonly warnings: readonly string[];
  /** The release knows no server-side apply: it was created, or merged into what was there. */
  readonly isMerged?: true;
  /** As it is, and as it is then or would be. */
  readonly before: JsonObject | undefined;
  readonly after: JsonObject | undefined;
  /** Row id of the object. */
  readonly id: string;
}

export interface ApplyOptions {
  readonly dryRun: boolean;
  /** Takes over fields that somebody else manages. */
  readonly force: boolean;
}

interface OneOptions extends ApplyOptions {
  /** Kinds are defined by the same text: they may take a moment to be served. */
  readonly awaited: boolean;
}

/** `onOutcome` is told each as it comes. What needs something that an earlier one would have made is not tried without it. */
export async function applyAll(manifests: readonly Manifest[], options: ApplyOptions, onOutcome: (outcome: Outcome) => void): Promise<void> {
  const made: Manifest[] = [];
  for (const manifest of manifests) {
    const needed = options.dryRun ? made.find((one) => needs(manifest, one)) : undefined;
    const blank = { manifest, warnings: [], before: undefined, after: undefined, id: '' } as const;
    if (needed) onOutcome({ ...blank, state: 'waits', text: words.waitsFor(needed.gvk?.kind ?? '', needed.name) });
    else {
      const outcome = await applyOne(manifest, { ...options, awaited: made.some((one) => needs(manifest, one)) });
      onOutcome(outcome);
      if (outcome.state === 'created') made.push(manifest);
    }
  }
}

/** Objects in a namespace need it, and objects of users' kinds their definition. */
function needs({ gvk, namespace }: Manifest, other: Manifest): boolean {
  if (other.gvk?.kind === 'Namespace') return namespace === other.name;
  if (other.gvk?.kind !== 'CustomResourceDefinition') return false;
  const spec = isObject(other.object?.['spec']) ? other.object['spec'] : {};
  const names = isObject(spec['names']) ? spec['names'] : {};
  return spec['group'] === gvk?.group && names['kind'] === gvk?.kind;
}

async function applyOne(manifest: Manifest, options: OneOptions): Promise<Outcome> {
  const { gvk, name, object } = manifest;
  const refused = (text: string): Outcome => ({ manifest, state: 'refused', text, warnings: [], before: undefined, after: undefined, id: '' });
  if (gvk === undefined || object === undefined) return refused(words.unreadable);
  const resource = await resourceOf(gvk, options.awaited);
  if (resource === undefined) return refused(words.noKind(gvk.kind, gvk.group === '' ? gvk.version : `${gvk.group}/${gvk.version}`));
  const namespace = resource.namespaced ? manifest.namespace || 'default' : undefined;
  const collection = collectionPath({ ...resource, version: gvk.version }, namespace);
  let warnings: readonly string[] = [];
  const onWarnings = (told: readonly string[]): void => {
    warnings = told;
  };
  try {
    const before = name === '' ? undefined : await find(collection, name);
    const query = new URLSearchParams({ fieldManager, fieldValidation: 'Strict', ...(options.dryRun ? { dryRun: 'All' } : {}) });
    if (options.force) query.set('force', 'true');
    const create = () =>
      request(`${collection}?${query.toString()}`, { method: 'POST', text: manifest.text, contentType: 'application/yaml', onWarnings });
    const apply = () =>
      request(`${collection}/${encodeURIComponent(name)}?${query.toString()}`, {
        method: 'PATCH',
        text: manifest.text,
        contentType: 'application/apply-patch+yaml',
        onWarnings,
      });
    const merge = () => request(`${collection}/${encodeURIComponent(name)}?${query.toString()}`, { method: 'PATCH', body: object, onWarnings });
    const how: { isMerged?: true } = {};
    const asOfOld = (): Promise<KubeObject> => {
      how.isMerged = true;
      return before === undefined ? create() : merge();
    };
    // A name that the server is to find cannot be applied to, and releases before server-side apply create and merge.
    const answer = await (name === '' ? create() : apply().catch((error: unknown) => (isTooOld(error) ? asOfOld() : fail(error))));
    const after = answer as unknown as JsonObject;
    const isSame = before !== undefined && changesBetween(editableOf(before), editableOf(after)).length === 0;
    const state = before === undefined ? 'created' : isSame ? 'unchanged' : 'changed';
    return {
      ...how,
      manifest,
      state,
      text: '',
      warnings,
      before,
      after,
      id: rowIdOf(resource, namespace, answer.metadata.name ?? name),
    };
  } catch (error) {
    if (error instanceof ApiError) return { ...refused(error.message), error };
    throw error;
  }
}

const servedWithin = 40;
const askAgainMs = 250;

/** Kinds that are new since the page opened are asked for. */
async function resourceOf({ group, kind }: Gvk, awaited: boolean): Promise<Resource | undefined> {
  for (let asked = 0; ; asked++) {
    const { resources, load } = useResources.getState();
    const found = resources.find((one) => one.group === group && one.kind === kind);
    if (found || asked > (awaited ? servedWithin : 0)) return found;
    if (asked > 0) await new Promise((resolve) => setTimeout(resolve, askAgainMs));
    await load();
  }
}

/** By a list, which is no failure where there is none. */
async function find(collection: string, name: string): Promise<JsonObject | undefined> {
  const { items, apiVersion, kind } = await request<{ items: readonly JsonObject[]; apiVersion: string; kind: string }>(
    `${collection}?fieldSelector=${encodeURIComponent(fieldSelector({ 'metadata.name': name }))}`,
  );
  const [found] = items;
  return found && { apiVersion, kind: kind.replace(/List$/, ''), ...found };
}

function isTooOld(error: unknown): boolean {
  return error instanceof ApiError && error.code === 415;
}

function fail(error: unknown): never {
  throw error;
}
