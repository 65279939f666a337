/**
 * An admission plugin as a value: which requests it looks at and what it does with them. The order of plugins is their meaning, so
 * each release lists the names of those that are on.
 */
import type { KubeObject } from '../../apimachinery/object.ts';
import type { AdmissionAttributes, AdmissionChain, AdmissionVerb } from '../admission.ts';
import { Reinvocation } from './reinvocation.ts';

export interface AdmissionPlugin {
  /** Upstream's name, e.g. `NamespaceLifecycle`. */
  readonly name: string;
  readonly verbs: readonly AdmissionVerb[];
  /** `resource` or `resource.group`; every resource when absent. Subresources only where `subresources` names them. */
  readonly resources?: readonly string[];
  readonly subresources?: readonly string[];
  /** It says itself what it looks at: every resource and subresource comes before it. */
  readonly seesAll?: true;
  /** Returns the object as it should be, the same reference when it is right. Throws StatusError to refuse. */
  admit?(object: KubeObject, attributes: AdmissionAttributes): KubeObject;
  /** The same for plugins that look at requests without an object too, and may want to be asked again when others change it. */
  mutate?(attributes: AdmissionAttributes, reinvocation: Reinvocation): KubeObject | undefined;
  validate?(attributes: AdmissionAttributes): void;
}

export function defineAdmissionPlugin(plugin: AdmissionPlugin): AdmissionPlugin {
  if (plugin.name === '' || (plugin.admit === undefined && plugin.mutate === undefined && plugin.validate === undefined))
    throw new Error(`admission plugin ${plugin.name} does nothing`);
  return plugin;
}

/** Mutating plugins in order, then validating ones in order. */
export function createAdmissionChain(plugins: readonly AdmissionPlugin[]): AdmissionChain {
  // Asked twice for each write: the texts are found as they are, a key of all four would be a new one each time.
  const known = new Map<AdmissionVerb, Map<string, Map<string, Map<string, readonly AdmissionPlugin[]>>>>();
  const concerned = (attributes: AdmissionAttributes): readonly AdmissionPlugin[] => {
    const { verb, group, resource, subresource } = attributes;
    const found = known.get(verb)?.get(resource)?.get(group)?.get(subresource);
    if (found !== undefined) return found;
    const looking = plugins.filter((plugin) => looksAt(plugin, attributes));
    ensure(ensure(ensure(known, verb), resource), group).set(subresource, looking);
    return looking;
  };
  return {
    admit(attributes) {
      const reinvocation = new Reinvocation();
      const admitted = pass(concerned(attributes), attributes, attributes.object, reinvocation);
      if (!reinvocation.isAskedFor) return admitted;
      reinvocation.isSecond = true;
      return pass(concerned(attributes), attributes, admitted, reinvocation);
    },
    validate(attributes) {
      for (const plugin of concerned(attributes)) plugin.validate?.(attributes);
    },
  };
}

function pass(
  plugins: readonly AdmissionPlugin[],
  attributes: AdmissionAttributes,
  first: KubeObject | undefined,
  reinvocation: Reinvocation,
): KubeObject | undefined {
  let object = first;
  let now = attributes;
  for (const plugin of plugins) {
    if (now.object !== object) now = { ...attributes, object };
    if (plugin.mutate !== undefined) object = plugin.mutate(now, reinvocation);
    else if (plugin.admit !== undefined && object !== undefined) object = plugin.admit(object, now);
  }
  return object;
}

function ensure<K, I, V>(maps: Map<K, Map<I, V>>, key: K): Map<I, V> {
  let map = maps.get(key);
  if (map === undefined) maps.set(key, (map = new Map()));
  return map;
}

function looksAt(plugin: AdmissionPlugin, { verb, group, resource, subresource }: AdmissionAttributes): boolean {
  if (!plugin.verbs.includes(verb)) return false;
  if (plugin.seesAll === true) return true;
  if (plugin.resources !== undefined && !plugin.resources.includes(group === '' ? resource : `${resource}.${group}`)) return false;
  return plugin.subresources === undefined ? subresource === '' : plugin.subresources.includes(subresource);
}
