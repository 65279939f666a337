import { describe, expect, it } from 'vitest';
import { createSchemaRegistry } from '../../api/schemas.ts';
import { canonicalizerOf } from './canonicalize.ts';

const schemas = createSchemaRegistry();

/** As a real kube-apiserver 1.36.3 answered. */
const misfits: readonly (readonly [name: string, message: string, value: object, told: string])[] = [
  [
    'a text of a type of its own',
    'scheduling.v1.PriorityClass',
    { preemptionPolicy: [1] },
    'json: cannot unmarshal array into Go struct field PriorityClass.preemptionPolicy of type v1.PreemptionPolicy',
  ],
  [
    'lists in a map',
    'certificates.v1.CertificateSigningRequest',
    { spec: { extra: { zzz: 1 } } },
    'json: cannot unmarshal number into Go struct field CertificateSigningRequestSpec.spec.extra of type v1.ExtraValue',
  ],
  [
    'what is in a map, whose key is not told',
    'resource.v1.ResourceSlice',
    { spec: { devices: [{ name: 'n', attributes: { key: { int: 1.5 } } }] } },
    'json: cannot unmarshal number 1.5 into Go struct field DeviceAttribute.spec.devices.attributes.int of type int64',
  ],
  [
    'what is inlined, with the structs that it is inlined from',
    'admissionregistration.v1.MutatingAdmissionPolicy',
    { spec: { matchConstraints: { resourceRules: [{ resources: [[null]] }] } } },
    'json: cannot unmarshal array into Go struct field NamedRuleWithOperations.spec.matchConstraints.resourceRules.RuleWithOperations.Rule.resources of type string',
  ],
  [
    'the first of several, in lists and maps too',
    'core.v1.Service',
    { spec: { selector: { a: 1, b: [] }, ports: [{ port: 'x' }, 1] } },
    'json: cannot unmarshal number into Go struct field ServiceSpec.spec.selector of type string',
  ],
  [
    'a time that is none before all that fits no less, also behind it in a list',
    'core.v1.Service',
    { status: { conditions: [[], { type: 1 }, { lastTransitionTime: '' }] } },
    'parsing time "" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "2006"',
  ],
];

describe('what does not fit its Go type', () => {
  it.each(misfits)('names %s', (_, message, value, told) => {
    expect(() => canonicalizerOf(schemas).decodeInto(value, schemas.mustGet(`io.k8s.api.${message}`))).toThrow(told);
  });

  it('leaves keys of maps and inlined fields in the names of unknown fields, and structs out of them', () => {
    const slice = { spec: { devices: [{ attributes: { key: { odd: 1 } } }] } };
    const unknown = (message: string, value: object): readonly string[] =>
      canonicalizerOf(schemas).decodeInto(value, schemas.mustGet(`io.k8s.api.${message}`)).unknownFields;
    expect(unknown('resource.v1.ResourceSlice', slice)).toEqual(['unknown field "spec.devices[0].attributes.key.odd"']);
    expect(unknown('core.v1.Pod', { spec: { volumes: [{ emptyDir: { odd: 1 } }] } })).toEqual(['unknown field "spec.volumes[0].emptyDir.odd"']);
  });
});
