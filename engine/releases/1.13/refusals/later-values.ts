/**
 * The places of faults that are found behind all others, because the value came later: release 1.13 came upon it where it stands. Mirrors
 * ValidateService and ValidateNetworkPolicySpec of its pkg/apis.
 */
import { getOwn } from '../../../base/dictionary.ts';
import { compared, type Place } from './container-order.ts';
import type { Fault } from './faults.ts';

/** By kind: where a fault stands among those of one judgement. */
const placeOf: { readonly [kind: string]: ((field: string) => Place) | undefined } = {
  NetworkPolicy: ofPolicy,
  PersistentVolume: ofVolume,
  PersistentVolumeClaim: ofVolume,
  Service: ofService,
};

export function inTheirPlaces(kind: string, faults: readonly Fault[]): readonly Fault[] {
  const place = getOwn(placeOf, kind);
  if (place === undefined || !faults.some(isLater)) return faults;
  const out: { readonly fault: Fault; readonly stands: Place }[] = [];
  // An update is judged twice: each time is a run of its own.
  let [start, told, before] = [0, new Set<string>(), ''];
  for (const fault of faults) {
    const stands = place(fault.field);
    const said = `${fault.field}: ${fault.text}`;
    // What is told twice in a row is told of one time.
    if (told.has(said) && said !== before) [start, told] = [out.length, new Set()];
    told.add(said);
    before = said;
    const later = isLater(fault) ? out.findIndex((one, at) => at >= start && compared(one.stands, stands) > 0) : -1;
    out.splice(later < 0 ? out.length : later, 0, { fault, stands });
  }
  return out.map(({ fault }) => fault);
}

function isLater({ field, text }: Fault): boolean {
  return (
    (field.endsWith('.protocol') && text.startsWith('Unsupported value: "SCTP"')) ||
    (field === 'spec.accessModes' && text.startsWith('Unsupported value: "ReadWriteOncePod"'))
  );
}

/** What a volume is used for was looked at before how large it is. */
function ofVolume(field: string): Place {
  return [/^spec\.(?!accessModes|selector)/.test(field) ? 1 : 0];
}

const sections = ['ingress', 'egress', 'policyTypes'];
const ofRule = /^spec\.(ingress|egress|policyTypes)\[(\d+)\](?:\.(ports|from|to)\[(\d+)\](?:\.(\w+))?)?/;

function ofPolicy(field: string): Place {
  const [, section = '', rule = '0', part = '', item = '0', member = ''] = ofRule.exec(field) ?? [];
  return [sections.indexOf(section), Number(rule), part === 'ports' ? 0 : 1, Number(item), member === 'protocol' ? 0 : 1];
}

const members = ['name', 'port', 'protocol'];

function ofService(field: string): Place {
  const [, port, member = ''] = /^spec\.ports\[(\d+)\](?:\.(\w+))?/.exec(field) ?? [];
  if (port === undefined) return [field.startsWith('metadata') || field === 'spec.ports' ? 0 : 2];
  const rank = members.indexOf(member);
  return [1, Number(port), rank < 0 ? members.length : rank];
}
