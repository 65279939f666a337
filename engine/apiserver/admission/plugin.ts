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
  const byResource = new Map<string, readonly AdmissionPlugin[]>();
  const concerned = (attributes: AdmissionAttributes): readonly AdmissionPlugin[] => {
    const key = `${attributes.verb} ${attributes.resource}.${attributes.group}/${attributes.subresource}`;
    let found = byResource.get(key);
    if (found === undefined) {
      found = plugins.filter((plugin) => looksAt(plugin, attributes));
      byResource.set(key, found);
    }
    return found;
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

function looksAt(plugin: AdmissionPlugin, { verb, group, resource, subresource }: AdmissionAttributes): boolean {
  if (!plugin.verbs.includes(verb)) return false;
  if (plugin.resources !== undefined && !plugin.resources.includes(group === '' ? resource : `${resource}.${group}`)) return false;
  return plugin.subresources === undefined ? subresource === '' : plugin.subresources.includes(subresource);
}
