/** What the devices of a claim must have in common, or must not (structured/internal/incubating/constraint.go). */
import type { Device, DeviceAttribute, DeviceConstraint } from '../../../api/resource/v1/types.gen.ts';
import { getOwn } from '../../../base/dictionary.ts';
import type { Request } from './requests.ts';

export interface Constraint {
  /** Whether the device may join those that were taken; if so, it has. */
  add(request: Request, driver: string, device: Device): boolean;
  /** Takes the last one back. */
  remove(request: Request): void;
}

/** Undefined for a kind that is not known. */
export function constraintOf({ requests = [], matchAttribute, distinctAttribute }: DeviceConstraint): Constraint | undefined {
  const name = matchAttribute ?? distinctAttribute;
  return name === undefined ? undefined : new AttributeConstraint(new Set(requests), name, matchAttribute !== undefined);
}

class AttributeConstraint implements Constraint {
  readonly #requests: ReadonlySet<string>;
  readonly #attribute: string;
  readonly #mustMatch: boolean;
  readonly #values: string[] = [];

  constructor(requests: ReadonlySet<string>, attribute: string, mustMatch: boolean) {
    this.#requests = requests;
    this.#attribute = attribute;
    this.#mustMatch = mustMatch;
  }

  add(request: Request, driver: string, device: Device): boolean {
    if (!this.#appliesTo(request)) return true;
    const attribute = attributeOf(device, driver, this.#attribute);
    if (attribute === undefined) return false;
    const value = valueText(attribute);
    if (this.#values.length > 0 && (value === undefined || (this.#mustMatch ? value !== this.#values[0] : this.#values.includes(value))))
      return false;
    this.#values.push(value ?? '');
    return true;
  }

  remove(request: Request): void {
    if (this.#appliesTo(request)) this.#values.pop();
  }

  #appliesTo({ name, parent }: Request): boolean {
    if (this.#requests.size === 0 || this.#requests.has(parent ?? name)) return true;
    return parent !== undefined && this.#requests.has(`${parent}/${name}`);
  }
}

/** Under its full name, or without the domain where that is the driver's. */
function attributeOf({ attributes = {} }: Device, driver: string, name: string): DeviceAttribute | undefined {
  const slash = name.indexOf('/');
  return getOwn(attributes, name) ?? (name.slice(0, slash) === driver ? getOwn(attributes, name.slice(slash + 1)) : undefined);
}

/** Values of different types are different. */
function valueText({ string, int, bool, version }: DeviceAttribute): string | undefined {
  if (string !== undefined) return `s${string}`;
  if (int !== undefined) return `i${int}`;
  if (bool !== undefined) return `b${bool}`;
  return version === undefined ? undefined : `v${version}`;
}
