/**
 * Deletes what is in a namespace, pods first, and says what is left and for how long. Mirrors the resource part of
 * pkg/controller/namespace/deletion/namespaced_resources_deleter.go.
 */
import { isMethodNotSupported, isNotFound } from '../../apimachinery/errors.ts';
import type { KubeObject } from '../../apimachinery/object.ts';
import { StatusError } from '../../apimachinery/status.ts';
import type { Client, ResourceType } from '../../client/client.ts';
import { pods } from '../../client/resources.ts';
import { isPodTerminal } from '../lib/pod.ts';
import { RetryError } from '../../controller-runtime/retry-error.ts';

/** Seconds that finalizers are given when nothing better is known. */
const finalizerEstimateSeconds = 15;

interface Left {
  readonly estimateSeconds: number;
  readonly count: number;
  readonly finalizers: readonly string[];
  readonly error?: string;
}

export interface ContentResult {
  estimateSeconds: number;
  readonly resources: Map<string, number>;
  readonly finalizers: Map<string, number>;
  /** Failures as the condition and as the thrown error word them. */
  readonly failures: string[];
  readonly errors: string[];
  /** Pods were left, so nothing else has been touched. */
  podsFirst: boolean;
}

export async function deleteContent(
  client: Client,
  types: readonly ResourceType[],
  namespace: string,
  deletedForMs: number,
  emptiesPodsFirst: boolean,
): Promise<ContentResult> {
  const result: ContentResult = { estimateSeconds: 0, resources: new Map(), finalizers: new Map(), failures: [], errors: [], podsFirst: false };
  const podType = !emptiesPodsFirst ? undefined : types.find((type) => type.group === '' && type.resource === 'pods');
  if (podType !== undefined) {
    const left = await deleteAllOf(client, podType, namespace, deletedForMs);
    if (left.error !== undefined) result.errors.push(`failed to delete pods for namespace: ${namespace}, err: ${left.error}`);
    count(result, podType, left);
    result.podsFirst = left.count > 0;
    if (result.podsFirst) return result;
  }
  for (const type of types) {
    if (!type.namespaced || type === podType) continue;
    const left = await deleteAllOf(client, type, namespace, deletedForMs);
    if (left.error !== undefined) result.errors.push(left.error);
    count(result, type, left);
  }
  return result;
}

function count(result: ContentResult, type: ResourceType, left: Left): void {
  if (left.error !== undefined) result.failures.push(left.error);
  result.estimateSeconds = Math.max(result.estimateSeconds, left.estimateSeconds);
  if (left.count === 0) return;
  result.resources.set(`${type.resource}.${type.group}`, left.count);
  for (const finalizer of left.finalizers) result.finalizers.set(finalizer, (result.finalizers.get(finalizer) ?? 0) + 1);
}

async function deleteAllOf(client: Client, type: ResourceType, namespace: string, deletedForMs: number): Promise<Left> {
  let estimateSeconds = 0;
  try {
    estimateSeconds = await estimate(client, type, namespace, deletedForMs);
    if (!(await deleteCollection(client, type, namespace))) await deleteEach(client, type, namespace);
    const items = await list(client, type, namespace);
    if (items === undefined || items.length === 0) return { estimateSeconds: items === undefined ? estimateSeconds : 0, count: 0, finalizers: [] };
    const finalizers = items.flatMap((item) => item.metadata.finalizers ?? []);
    if (estimateSeconds > 0) return { estimateSeconds, count: items.length, finalizers };
    if (finalizers.length > 0) return { estimateSeconds: finalizerEstimateSeconds, count: items.length, finalizers };
    const resource = `${type.group}/${type.version}, Resource=${type.resource}`;
    return {
      estimateSeconds,
      count: items.length,
      finalizers,
      error: `unexpected items still remain in namespace: ${namespace} for gvr: ${resource}`,
    };
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    return { estimateSeconds, count: 0, finalizers: [], error: error.message };
  }
}

/** The longest grace period of the pods, unless the namespace has been going for longer than that. */
async function estimate(client: Client, type: ResourceType, namespace: string, deletedForMs: number): Promise<number> {
  if (type.group !== '' || type.resource !== 'pods') return 0;
  let seconds = 0;
  for (const pod of (await client.list(pods, namespace, withAll)).items) {
    if (!isPodTerminal(pod)) seconds = Math.max(seconds, Number(pod.spec?.terminationGracePeriodSeconds ?? 0));
  }
  return deletedForMs >= seconds * 1000 ? 0 : seconds;
}

/** False when the resource has no such verb. */
async function deleteCollection(client: Client, type: ResourceType, namespace: string): Promise<boolean> {
  try {
    await client.deleteCollection(type, namespace, { propagationPolicy: 'Background' });
    return true;
  } catch (error) {
    if (isMethodNotSupported(error) || isNotFound(error)) return false;
    throw error;
  }
}

/** Also what still waits for initializers goes with its namespace. */
const withAll = { includeUninitialized: true };

async function list(client: Client, type: ResourceType, namespace: string): Promise<readonly KubeObject[] | undefined> {
  try {
    return (await client.list(type, namespace, withAll)).items;
  } catch (error) {
    if (isMethodNotSupported(error) || isNotFound(error)) return undefined;
    throw error;
  }
}

async function deleteEach(client: Client, type: ResourceType, namespace: string): Promise<void> {
  for (const { metadata } of (await list(client, type, namespace)) ?? []) {
    try {
      await client.delete(type, namespace, metadata.name ?? '', { propagationPolicy: 'Background' });
    } catch (error) {
      if (!isMethodNotSupported(error) && !isNotFound(error)) throw error;
    }
  }
}

/** Several failures as one, worded as upstream's aggregate. */
export function aggregate(messages: readonly string[]): RetryError {
  const unique = [...new Set(messages)];
  return new RetryError(unique.length === 1 ? (unique[0] ?? '') : `[${unique.join(', ')}]`);
}
