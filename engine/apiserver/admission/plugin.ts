/**
 * An admission plugin as a value: which requests it looks at and what it does with them. The order of plugins is their meaning, so
 * each release lists the names of those that are on.
 */
import type { KubeObject } from '../../apimachinery/object.ts';
import type { AdmissionAttributes, AdmissionChain, AdmissionVerb } from '../admission.ts';

export interface AdmissionPlugin {
  /** Upstream's name, e.g. `NamespaceLifecycle`. */
  readonly name: string;
  readonly verbs: readonly AdmissionVerb[];
  /** `resource` or `resource.group`; every resource when absent. Subresources only where `subresources` names them. */
  readonly resources?: readonly string[];
  readonly subresources?: readonly string[];
  /** Returns the object as it should be, the same reference when it is right. Throws StatusError to refuse. */
  admit?(object: KubeObject, attributes: AdmissionAttributes): KubeObject;
  validate?(attributes: AdmissionAttributes): void;
}

export function defineAdmissionPlugin(plugin: AdmissionPlugin): AdmissionPlugin {
  if (plugin.name === '' || (plugin.admit === undefined && plugin.validate === undefined))
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
      let { object } = attributes;
      if (object === undefined) return undefined;
      for (const plugin of concerned(attributes)) {
        if (plugin.admit !== undefined) object = plugin.admit(object, attributes.object === object ? attributes : { ...attributes, object });
      }
      return object;
    },
    validate(attributes) {
      for (const plugin of concerned(attributes)) plugin.validate?.(attributes);
    },
  };
}

function ensure<K, I, V>(maps: Map<K, Map<I, V>>, key: K): Map<I, V> {
  let map = maps.get(key);
  if (map === undefined) maps.set(key, (map = new Map()));
  return map;
}

function looksAt(plugin: AdmissionPlugin, { verb, group, resource, subresource }: AdmissionAttributes): boolean {
  if (!plugin.verbs.includes(verb)) return false;
  if (plugin.resources !== undefined && !plugin.resources.includes(group === '' ? resource : `${resource}.${group}`)) return false;
  return plugin.subresources === undefined ? subresource === '' : plugin.subresources.includes(subresource);
}
