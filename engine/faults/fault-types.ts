/** `faulttypes`: the faults there are, each with a sentence computed from the target, the parameters and the settings in force. */
import type { FaultType } from '../api/sim/v1alpha1/fault-type.ts';
import { aggregateText, root } from '../apimachinery/field-errors.ts';
import type { JsonValue } from '../base/json.ts';
import { parametersInForce, parseParameter, validateParameters } from '../component-helpers/fault-parameters.ts';
import { type FaultDefinition, FaultParameters, type FaultSettings, unmetNeed } from './fault.ts';
import { faults } from './index.gen.ts';

type Query = { readonly [parameter: string]: string };

const anyNode = 'the node';

export function listFaultTypes(settings: FaultSettings): readonly FaultType[] {
  return faults.map((definition) => toFaultType(definition, {}, settings));
}

export function getFaultType(name: string, query: Query, settings: FaultSettings): FaultType | undefined {
  const definition = faults.find((one) => one.name === name);
  return definition === undefined ? undefined : toFaultType(definition, query, settings);
}

function toFaultType(definition: FaultDefinition, query: Query, settings: FaultSettings): FaultType {
  const { name, title, target, parameters } = definition;
  const given = Object.fromEntries(
    Object.entries(parameters).flatMap(([parameter, table]): [string, JsonValue][] => {
      const value = parseParameter(table, query[parameter] ?? '');
      return value === undefined ? [] : [[parameter, value]];
    }),
  );
  const errors = validateParameters(definition, given, root('spec', 'parameters'));
  const values = parametersInForce(definition, errors.length === 0 ? given : {});
  const { node, zone, host } = query;
  const where = node ? { node } : zone ? { zone } : host ? { host } : target === 'nodes' ? { node: anyNode } : {};
  const sentence = definition.describe({ target: where, parameters: new FaultParameters(values) }, settings);
  const refusal = errors.length === 0 ? unmetNeed(definition, settings) : aggregateText(errors);
  return {
    kind: 'FaultType',
    apiVersion: 'sim.wavetank.dev/v1alpha1',
    metadata: { name },
    title,
    target,
    parameters: Object.entries(parameters).map(([parameter, table]) => ({ name: parameter, ...table })),
    values,
    sentence: where.node === anyNode ? sentence.replaceAll(`node ${anyNode}`, anyNode) : sentence,
    ...(refusal === undefined ? {} : { refusal }),
  };
}
