/**
 * What selectors of devices see: `device.driver`, `device.attributes[domain].name`, `device.capacity[domain].name`. Mirrors
 * k8s.io/dynamic-resource-allocation/cel.
 */
import type { Device, DeviceAttribute } from '../api/resource/v1/types.gen.ts';
import { parseQuantity } from '../apimachinery/quantity.ts';

import { kubernetesFunctions } from './kubernetes.ts';
import { CelQuantity, quantityType } from './libraries/quantity.ts';
import { parseSemver } from './libraries/semver.ts';
import { type CelEnvironment, type CelProgram, compile } from './program.ts';
import { any, bool, type CelType, mapOf, string } from './types.ts';
import { CelError, celMap, type CelMap, type CelObject, type CelValue } from './values.ts';

/** What upstream lets a selector cost. */
export const selectorCostMax = 1_000_000;
/** Much of what costs nothing is ended, too, where upstream ends it with the cycle of the scheduler. */
const selectorLimits = { costMax: selectorCostMax, stepsMax: 10 * selectorCostMax };
export const selectorLengthMax = 10 * 1024;
const attributesMax = 32;

const sized = (type: CelType, sizeMax: number): CelType => ({ ...type, sizeMax });
const id = sized(string, 32);
const domain = sized(string, 63);
const byDomain = (value: CelType): CelType => sized(mapOf(domain, sized(mapOf(id, value), attributesMax)), attributesMax);

const deviceType: CelType = {
  kind: 'object',
  name: 'kubernetes.DRADevice',
  fields: new Map<string, CelType>([
    ['driver', sized(string, 63)],
    ['allowMultipleAllocations', sized(bool, 1)],
    ['attributes', byDomain(sized(any, 64))],
    ['capacity', byDomain(quantityType)],
  ]),
};

/** As upstream looks them up: a field of what is no object is an entry of a map of attributes. */
function sizeAlong(type: CelType | undefined, path: readonly string[]): number | undefined {
  const [step, ...rest] = path;
  if (type === undefined || step === undefined) return type && (type.sizeMax ?? 0);
  if (type.kind === 'object') return sizeAlong(type.fields.get(step), rest);
  if (type.kind !== 'map') return undefined;
  const isValue = step === '@values' || step === '@items' || (step !== '@keys' && type.value.kind === 'any');
  return isValue || step === '@keys' ? sizeAlong(isValue ? type.value : type.key, rest) : undefined;
}

const environment: CelEnvironment = {
  variables: new Map([['device', deviceType]]),
  functions: kubernetesFunctions,
  isStrict: true,
  hasBindings: true,
  sizes: ([variable, ...path]) => (variable === 'device' ? sizeAlong(deviceType, path) : undefined),
};

/** A selector that can be asked, or what is wrong with it in upstream's words. */
export function compileSelector(expression: string): CelProgram | { readonly fault: string } {
  const program = compile(expression, environment);
  if ('fault' in program) return { fault: `${program.isInstantiation === true ? 'program instantiation' : 'compilation'} failed: ${program.fault}` };
  const { kind } = program.type;
  if (kind !== 'bool' && kind !== 'any') return { fault: `must evaluate to bool or the unknown type, not ${kind}` };
  return program;
}

/** What of a device does not change with who asks. */
export interface SelectableDevice extends Pick<Device, 'attributes' | 'capacity' | 'allowMultipleAllocations'> {
  readonly driver: string;
}

/** Throws CelError. */
export function deviceMatches(program: CelProgram, device: SelectableDevice): boolean {
  const { value: result } = program.evaluate(new Map([['device', deviceValue(device)]]), selectorLimits);
  if (typeof result !== 'boolean')
    throw new CelError(`CEL result of type ${program.type.kind} could not be converted to bool: type conversion error`);
  return result;
}

function deviceValue({ driver, allowMultipleAllocations = false, attributes = {}, capacity = {} }: SelectableDevice): CelObject {
  const fields = new Map<string, CelValue>([
    ['driver', driver],
    ['allowMultipleAllocations', allowMultipleAllocations],
    [
      'attributes',
      grouped(
        driver,
        Object.entries(attributes).map(([name, value]) => [name, attributeValue(name, value)] as const),
      ),
    ],
    [
      'capacity',
      grouped(
        driver,
        Object.entries(capacity).map(([name, { value }]) => [name, new CelQuantity(parseQuantity(value))] as const),
      ),
    ],
  ]);
  return { celType: 'kubernetes.DRADevice', field: (name) => fields.get(name) };
}

function attributeValue(name: string, { int, bool: truth, string: text, version }: DeviceAttribute): CelValue {
  if (int !== undefined) return BigInt(int);
  if (truth !== undefined) return truth;
  if (text !== undefined) return text;
  const parsed = version === undefined ? undefined : parseSemver(version);
  if (parsed !== undefined) return parsed;
  throw new CelError(`attribute ${name}: ${version === undefined ? 'unsupported attribute value' : 'parse semantic version: invalid version'}`);
}

/** Names without a domain are the driver's; a domain that is not there is an empty map. */
function grouped(driver: string, named: readonly (readonly [name: string, value: CelValue])[]): CelMap {
  const groups = new Map<string, (readonly [string, CelValue])[]>();
  for (const [name, value] of named) {
    const slash = name.indexOf('/');
    const group = slash < 0 ? driver : name.slice(0, slash);
    const held = groups.get(group) ?? [];
    groups.set(group, held);
    held.push([slash < 0 ? name : name.slice(slash + 1), value]);
  }
  return celMap(
    [...groups].map(([group, entries]) => [group, celMap(entries)] as const),
    celMap([]),
  );
}
