/** What is wrong with a question about pools. Mirrors what pkg/apis/resource/v1alpha3 declares of ResourcePoolStatusRequests. */
import type { PoolStatus, ResourcePoolStatusRequest } from '../../../api/resource/v1alpha3/types.gen.ts';
import { type FieldErrorList, type FieldPath, invalid, required, root, tooLong, tooMany } from '../../../apimachinery/field-errors.ts';
import {
  byteLength,
  immutableText,
  isLongName,
  isDNS1123SubdomainCaseless,
  validateConditions,
  validateImmutableField,
  validateNonnegative,
} from '../../../apimachinery/validation.ts';
import { semanticEqual } from '../../../apimachinery/semantic-equal.ts';
import type { Faults } from '../../core/v1/resource-validation.ts';
import { specPath } from '../../shared/strategy.ts';
import { partFaultsMax } from '../v1/validation.ts';

const poolNameMax = 253;
const limitMax = 1000;
const statusPath = root('status');
const poolsMax = 1000;
const conditionsMax = 10;
const errorBytesMax = 256;
const leastOf = [
  ['generation', 0],
  ['resourceSliceCount', 1],
  ['totalDevices', 0],
  ['allocatedDevices', 0],
  ['availableDevices', 0],
  ['unavailableDevices', 0],
] as const;

export function validatePoolRequest({ spec }: ResourcePoolStatusRequest): FieldErrorList {
  const out: Faults = [];
  validateDriver(spec?.driver ?? '', specPath.child('driver'), out);
  if (spec?.poolName !== undefined) validatePool(spec.poolName, specPath.child('poolName'), out);
  const limit = spec?.limit ?? limitMax;
  if (limit > limitMax) out.push(invalid(specPath.child('limit'), limit, `must be less than or equal to ${limitMax}`));
  if (limit < 1) out.push(invalid(specPath.child('limit'), limit, 'must be greater than or equal to 1'));
  return out;
}

export function validatePoolRequestUpdate(next: ResourcePoolStatusRequest, old: ResourcePoolStatusRequest): FieldErrorList {
  return semanticEqual(next.spec, old.spec) ? [] : [invalid(specPath, null, immutableText)];
}

/** What was answered once stays; another answer is judged all the same. */
export function validatePoolAnswer({ status }: ResourcePoolStatusRequest, old: ResourcePoolStatusRequest): FieldErrorList {
  const stays = old.status === undefined ? [] : validateImmutableField(status, old.status, statusPath);
  if (status === undefined || (old.status !== undefined && stays.length === 0)) return stays;
  const out: Faults = [...stays];
  const { conditions = [], poolCount, pools = [] } = status;
  if (old.status === undefined) out.push(...validateConditions(conditions, statusPath.child('conditions')));
  if (poolCount === undefined || poolCount === null) out.push(required(statusPath.child('poolCount')));
  else out.push(...validateNonnegative(poolCount, statusPath.child('poolCount')));
  if (pools.length > poolsMax) out.push(tooMany(statusPath.child('pools'), pools.length, poolsMax));
  else for (const [index, pool] of pools.entries()) validateAnswered(pool, statusPath.child('pools').index(index), out);
  if (conditions.length > conditionsMax) out.push(tooMany(statusPath.child('conditions'), conditions.length, conditionsMax));
  return out;
}

function validateAnswered(pool: PoolStatus, path: FieldPath, out: Faults): void {
  const { driver = '', poolName = '', nodeName, validationError } = pool;
  validateDriver(driver, path.child('driver'), out);
  if (poolName === '') out.push(required(path.child('poolName')));
  else validatePool(poolName, path.child('poolName'), out);
  if (!Number(pool.generation ?? 0)) out.push(required(path.child('generation')));
  for (const [name, least] of leastOf) {
    const value = pool[name];
    if (value !== undefined && value < least) out.push(invalid(path.child(name), value, `must be greater than or equal to ${least}`));
  }
  for (const fault of nodeName === undefined ? [] : isLongName(nodeName)) out.push(invalid(path.child('nodeName'), nodeName, fault));
  if (byteLength(validationError ?? '') > errorBytesMax) out.push(tooLong(path.child('validationError'), errorBytesMax));
}

function validateDriver(name: string, path: FieldPath, out: Faults): void {
  if (name === '') return void out.push(required(path));
  for (const fault of isDNS1123SubdomainCaseless(name)) out.push(invalid(path, name, fault));
}

function validatePool(name: string, path: FieldPath, out: Faults): void {
  if (name.length > poolNameMax) out.push(tooLong(path, poolNameMax));
  const before = out.length;
  for (const [index, part] of name.split('/').entries()) {
    if (out.length - before > partFaultsMax) return;
    if (part === '') out.push(invalid(path, name, `segment ${index}: must not be empty`));
    else for (const fault of isLongName(part)) out.push(invalid(path, part, `segment ${index}: ${fault}`));
  }
}
