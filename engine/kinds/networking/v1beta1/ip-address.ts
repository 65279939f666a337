/** Addresses that are given to services. */
import type { IPAddress } from '../../../api/networking/v1beta1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { storedAs } from '../../shared/convert.ts';
import { ageOf, columns, nameOf } from '../../shared/table.ts';
import { deprecationText } from '../../shared/deprecation.ts';

export const ipAddressKind = defineKind<IPAddress>({
  group: 'networking.k8s.io',
  version: 'v1beta1',
  kind: 'IPAddress',
  plural: 'ipaddresses',
  singular: 'ipaddress',
  shortNames: ['ip'],
  namespaced: false,
  schema: 'io.k8s.api.networking.v1beta1.IPAddress',
  deprecation: deprecationText({ of: 'networking.k8s.io/v1beta1 IPAddress', deprecated: 34, removed: 37 }),
  storagePrefix: 'ipaddresses',
  storage: storedAs('networking.k8s.io', 'v1beta1', 'v1'),
  hasGeneration: false,
  nameValidation: 'none',
  columns: columns('Name', 'ParentRef'),
  row(object, context) {
    const ref = object.spec?.parentRef;
    const resource = ref ? `${ref.resource ?? ''}${ref.group ? `.${ref.group}` : ''}`.toLowerCase() : '';
    const parent = ref ? `${resource}${ref.namespace ? `/${ref.namespace}` : ''}/${ref.name ?? ''}` : '<none>';
    return [nameOf(object), parent, ageOf(object, context)];
  },
});
