/** Addresses that are given to services. */
import type { IPAddress } from '../../../api/networking/v1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { ageOf, columns, nameOf } from '../../shared/table.ts';
import { addressNameFaults, validateAddress, validateAddressUpdate } from './address-validation.ts';

export const ipAddressKind = defineKind<IPAddress>({
  group: 'networking.k8s.io',
  version: 'v1',
  kind: 'IPAddress',
  metaChecks: { update: 'M U' },
  plural: 'ipaddresses',
  singular: 'ipaddress',
  shortNames: ['ip'],
  namespaced: false,
  schema: 'io.k8s.api.networking.v1.IPAddress',
  storagePrefix: 'ipaddresses',
  hasGeneration: false,
  nameValidation: 'none',
  nameFaults: addressNameFaults,
  namesAsGiven: true,
  validate: validateAddress,
  validateUpdate: validateAddressUpdate,
  columns: columns('Name', 'ParentRef'),
  row(object, context) {
    const ref = object.spec?.parentRef;
    const resource = ref ? `${ref.resource ?? ''}${ref.group ? `.${ref.group}` : ''}`.toLowerCase() : '';
    const parent = ref ? `${resource}${ref.namespace ? `/${ref.namespace}` : ''}/${ref.name ?? ''}` : '<none>';
    return [nameOf(object), parent, ageOf(object, context)];
  },
});
