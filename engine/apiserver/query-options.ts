/**
 * Query parameters as options, decoded and refused in upstream's words. Mirrors apimachinery pkg/runtime/conversion.go and
 * pkg/apis/meta/v1/validation.
 */
import { compactInt64, type Int64, toNumber } from '../base/int64.ts';
import { setOwn } from '../base/dictionary.ts';
import { newBadRequest, newInvalid } from '../apimachinery/errors.ts';
import { forbidden, notSupported, required, root, type FieldError } from '../apimachinery/field-errors.ts';
import { goQuote } from '../apimachinery/quote.ts';
import type { DeleteOptions, PatchType, WatchOptions, WriteOptions } from '../contracts/request.ts';
import { validateFieldManager } from '../apimachinery/validation.ts';

export type Query = Pick<URLSearchParams, 'get' | 'getAll' | 'has'>;

export function readBool(query: Query, name: string): boolean | undefined {
  const value = query.get(name);
  if (value === null) return undefined;
  const lower = value.toLowerCase();
  return lower !== 'false' && lower !== '0';
}

/** What is beyond 2^53 is the nearest number: so many of anything there are not. */
export function readInt(query: Query, name: string): number | undefined {
  const value = readInt64(query, name);
  return value === undefined ? undefined : toNumber(value);
}

function readInt64(query: Query, name: string): Int64 | undefined {
  const value = query.get(name);
  if (value === null) return undefined;
  if (!/^[+-]?[0-9]+$/.test(value)) throw newBadRequest(`strconv.ParseInt: parsing ${goQuote(value)}: invalid syntax`);
  const number = int64Of(value);
  if (number === undefined) throw newBadRequest(`strconv.ParseInt: parsing ${goQuote(value)}: value out of range`);
  return compactInt64(number);
}

/** Of digits; undefined for what 64 bits do not hold. A long text is looked at no further than that it is long. */
function int64Of(digits: string): bigint | undefined {
  const bare = digits.replace(/^[+]/, '').replace(/^(-?)0+(?=\d)/, '$1');
  if (bare.length > 20) return undefined;
  const value = BigInt(bare);
  return BigInt.asIntN(64, value) === value ? value : undefined;
}

function readText(query: Query, name: string): string | undefined {
  const value = query.get(name);
  return value === null || value === '' ? undefined : value;
}

export function readListOptions(query: Query): WatchOptions {
  return compact<WatchOptions>({
    labelSelector: readText(query, 'labelSelector'),
    fieldSelector: readText(query, 'fieldSelector'),
    resourceVersion: readText(query, 'resourceVersion'),
    resourceVersionMatch: readText(query, 'resourceVersionMatch'),
    limit: readInt(query, 'limit'),
    continue: readText(query, 'continue'),
    shardSelector: readText(query, 'shardSelector'),
    nameContains: readText(query, 'nameContains'),
    stateIs: readText(query, 'stateIs'),
    looksLike: readText(query, 'looksLike'),
    allowWatchBookmarks: readBool(query, 'allowWatchBookmarks'),
    sendInitialEvents: readBool(query, 'sendInitialEvents'),
    timeoutSeconds: readInt(query, 'timeoutSeconds'),
    includeUninitialized: readBool(query, 'includeUninitialized') === true ? true : undefined,
  });
}

/** Drops what is undefined. */
function compact<T extends object>(options: { readonly [K in keyof T]: T[K] | undefined }): T {
  const out: { [key: string]: unknown } = {};
  for (const [key, value] of Object.entries(options)) if (value !== undefined) setOwn(out, key, value);
  return out as T;
}

/** `byQuery`: the release lets a query name what the object has to be. */
export function readDeleteOptions(query: Query, byQuery: boolean): DeleteOptions {
  const dryRun = query.getAll('dryRun');
  return compact<DeleteOptions>({
    gracePeriodSeconds: readInt64(query, 'gracePeriodSeconds'),
    propagationPolicy: readText(query, 'propagationPolicy'),
    orphanDependents: readBool(query, 'orphanDependents'),
    dryRun: dryRun.length === 0 ? undefined : dryRun,
    preconditions: byQuery ? readPreconditions(query) : undefined,
    ignoreStoreReadErrorWithClusterBreakingPotential: readBool(query, 'ignoreStoreReadErrorWithClusterBreakingPotential'),
  });
}

function readPreconditions(query: Query): DeleteOptions['preconditions'] {
  const [uid, resourceVersion] = [readText(query, 'uid'), readText(query, 'resourceVersion')];
  if (uid === undefined && resourceVersion === undefined) return undefined;
  return compact<NonNullable<DeleteOptions['preconditions']>>({ uid, resourceVersion });
}

export type WriteVerb = 'create' | 'update' | 'patch';

const optionsKinds: { readonly [verb in WriteVerb]: string } = { create: 'CreateOptions', update: 'UpdateOptions', patch: 'PatchOptions' };
const fieldValidations: readonly string[] = ['Ignore', 'Strict', 'Warn'];

/** `judges`: the server knows `fieldValidation`. */
export function readWriteOptions(query: Query, verb: WriteVerb, patchType: PatchType | undefined, judges: boolean): WriteOptions {
  const manager = query.get('fieldManager') ?? '';
  const dryRun = query.getAll('dryRun');
  const validation = judges ? (query.get('fieldValidation') ?? '') : 'Ignore';
  const force = readBool(query, 'force');
  const faults: FieldError[] = [];
  if (verb === 'patch' && patchType === 'apply' && manager === '') faults.push(required(root('fieldManager'), 'is required for apply patch'));
  if (verb === 'patch' && patchType !== 'apply' && force !== undefined)
    faults.push(forbidden(root('force'), 'may not be specified for non-apply patch'));
  faults.push(...validateFieldManager(manager, root('fieldManager')));
  if (dryRun.some((value) => value !== 'All')) faults.push(notSupported(root('dryRun'), dryRun, ['All']));
  if (validation !== '' && !fieldValidations.includes(validation)) {
    faults.push(notSupported(root('fieldValidation'), validation, ['', ...fieldValidations]));
  }
  if (faults.length > 0) throw newInvalid({ group: 'meta.k8s.io', kind: optionsKinds[verb] }, '', faults);
  return {
    dryRun: dryRun.length > 0,
    ...(manager === '' ? undefined : { fieldManager: manager }),
    fieldValidation: validation === '' ? 'Warn' : (validation as 'Ignore' | 'Warn' | 'Strict'),
    ...(force === undefined ? undefined : { force }),
    ...(verb === 'create' && readBool(query, 'includeUninitialized') === true ? { includeUninitialized: true } : undefined),
  };
}
