/**
 * An admission plugin as a value: which requests it looks at and what it does with them. The order of plugins is their meaning, so
 * each release lists the names of those that are on.
 */
import type { KubeObject } from '../../apimachinery/object.ts';
import type { AdmissionAttributes, AdmissionChain, AdmissionVerb } from '../admission.ts';
import type { AdmissionMeter, AdmissionStep, Times } from './meter.ts';
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

/** A plugin that looks at a request, and where its times are kept. */
interface Concerned {
  readonly plugin: AdmissionPlugin;
  readonly times: { readonly [step in AdmissionStep]: Times } | undefined;
}

/** Mutating plugins in order, then validating ones in order. */
export function createAdmissionChain(plugins: readonly AdmissionPlugin[], meter?: AdmissionMeter): AdmissionChain {
  // Asked twice for each write: the texts are found as they are, a key of all four would be a new one each time.
  const known = new Map<AdmissionVerb, Map<string, Map<string, Map<string, readonly Concerned[]>>>>();
  const timesOf = ({ name }: AdmissionPlugin, verb: AdmissionVerb): Concerned['times'] =>
    meter && { admit: meter.plugin(name, 'admit', verb), validate: meter.plugin(name, 'validate', verb) };
  const concerned = (attributes: AdmissionAttributes): readonly Concerned[] => {
    const { verb, group, resource, subresource } = attributes;
    const found = known.get(verb)?.get(resource)?.get(group)?.get(subresource);
    if (found !== undefined) return found;
    const looking = plugins.filter((plugin) => looksAt(plugin, attributes)).map((plugin) => ({ plugin, times: timesOf(plugin, verb) }));
    ensure(ensure(ensure(known, verb), resource), group).set(subresource, looking);
    return looking;
  };
  const timed = <T>(step: AdmissionStep, verb: AdmissionVerb, act: () => T): T => (meter === undefined ? act() : meter.timed(step, verb, act));
  return {
    admit: (attributes) =>
      timed('admit', attributes.verb, () => {
        const reinvocation = new Reinvocation();
        const admitted = pass(concerned(attributes), attributes, attributes.object, reinvocation, meter);
        if (!reinvocation.isAskedFor) return admitted;
        reinvocation.isSecond = true;
        return pass(concerned(attributes), attributes, admitted, reinvocation, meter);
      }),
    validate: (attributes) =>
      timed('validate', attributes.verb, () => {
        const watch = meter?.watch();
        for (const { plugin, times } of concerned(attributes)) {
          if (plugin.validate === undefined) continue;
          try {
            plugin.validate(attributes);
          } catch (error) {
            watch?.failed(times?.validate, error);
            throw error;
          }
          watch?.passed(times?.validate);
        }
      }),
  };
}

function pass(
  plugins: readonly Concerned[],
  attributes: AdmissionAttributes,
  first: KubeObject | undefined,
  reinvocation: Reinvocation,
  meter: AdmissionMeter | undefined,
): KubeObject | undefined {
  const watch = meter?.watch();
  let object = first;
  let now = attributes;
  for (const { plugin, times } of plugins) {
    if (plugin.mutate === undefined && (plugin.admit === undefined || object === undefined)) continue;
    if (now.object !== object) now = { ...attributes, object };
    try {
      if (plugin.mutate !== undefined) object = plugin.mutate(now, reinvocation);
      else if (plugin.admit !== undefined && object !== undefined) object = plugin.admit(object, now);
    } catch (error) {
      watch?.failed(times?.admit, error);
      throw error;
    }
    watch?.passed(times?.admit);
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
