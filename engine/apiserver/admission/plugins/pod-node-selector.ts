/** Pods go where their namespace, or the cluster, wants them. Mirrors plugin/pkg/admission/podnodeselector. */
import type { Namespace, Pod } from '../../../api/core/v1/types.gen.ts';
import { newForbidden, newNotFound, newStatusError } from '../../../apimachinery/errors.ts';
import { isQualifiedName, isValidLabelValue } from '../../../apimachinery/formats.ts';
import { goQuote } from '../../../apimachinery/quote.ts';
import { isObject, type JsonObject } from '../../../base/json.ts';
import type { AdmissionAttributes } from '../../admission.ts';
import { ConfigurationFault } from '../../configuration-reader.ts';
import { type AdmissionPlugin, defineAdmissionPlugin } from '../plugin.ts';

const annotation = 'scheduler.alpha.kubernetes.io/node-selector';
type Labels = ReadonlyMap<string, string>;

/**
 * Selectors by namespace: what its pods may say; `clusterDefaultNodeSelector`: what pods get where a namespace says nothing. What is none counts
 * as nothing: this plugin takes any configuration.
 */
export function readPodNodeSelectors(document: JsonObject | undefined): Labels {
  const given = document?.['podNodeSelectorPluginConfig'];
  const texts = Object.entries(isObject(given) ? given : {}).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return new Map(texts);
}

export function createPodNodeSelector(selectors: Labels): AdmissionPlugin {
  const wantedBy = ({ namespace, lookup }: AdmissionAttributes): Labels => {
    const found = lookup('', 'namespaces', undefined, namespace) as Namespace | undefined;
    if (found === undefined) throw newNotFound({ group: '', resource: 'namespaces' }, namespace);
    return labelsOf(found.metadata.annotations?.[annotation] ?? selectors.get('clusterDefaultNodeSelector') ?? '');
  };
  const check = (attributes: AdmissionAttributes, wanted: Labels): void => {
    const { metadata, spec } = attributes.object as Pod;
    const refuse = (why: string): never => {
      throw newForbidden({ group: '', resource: 'pods' }, metadata.name ?? '', why);
    };
    const own = Object.entries(spec?.nodeSelector ?? {});
    if (own.some(([key, value]) => (wanted.get(key) ?? value) !== value))
      refuse('pod node label selector conflicts with its namespace node label selector');
    const allowed = labelsOf(selectors.get(attributes.namespace) ?? '');
    if (allowed.size > 0 && own.some(([key, value]) => allowed.get(key) !== value))
      refuse('pod node label selector labels conflict with its namespace whitelist');
  };
  return defineAdmissionPlugin({
    name: 'PodNodeSelector',
    verbs: ['CREATE'],
    resources: ['pods'],
    admit(object, attributes) {
      const wanted = wantedBy(attributes);
      const { spec } = object as Pod;
      const merged = Object.entries({ ...Object.fromEntries(wanted), ...spec?.nodeSelector }).sort(([a], [b]) => (a < b ? -1 : 1));
      // What conflicts is refused before anything is merged.
      check(attributes, wanted);
      if (spec === undefined || merged.length === 0) return object;
      const next = { ...object, spec: { ...spec, nodeSelector: Object.fromEntries(merged) } };
      check({ ...attributes, object: next }, wanted);
      return next;
    },
    validate: (attributes) => check(attributes, wantedBy(attributes)),
  });
}

/** `a=b,c=d`. Throws a Status without a reason, as upstream's error is none. */
function labelsOf(selector: string): Labels {
  try {
    return parseLabels(selector);
  } catch (error) {
    if (error instanceof ConfigurationFault) throw newStatusError(500, '', error.message);
    throw error;
  }
}

function parseLabels(selector: string): Labels {
  if (selector === '') return new Map();
  return new Map(
    selector.split(',').map((part) => {
      const pair = part.split('=');
      if (pair.length !== 2) throw new ConfigurationFault(`invalid selector: [${pair.join(' ')}]`);
      const [key = '', value = ''] = pair.map((text) => text.trim());
      const wrong = isQualifiedName(key);
      if (wrong.length > 0) throw new ConfigurationFault(`<nil>: Invalid value: ${goQuote(key)}: ${wrong.join('; ')}`);
      const fault = isValidLabelValue(value);
      if (fault.length > 0) throw new ConfigurationFault(`[${key}]: Invalid value: ${goQuote(value)}: ${fault.join('; ')}`);
      return [key, value] as const;
    }),
  );
}
