/** The claim whose status is written. */
import type { JsonObject } from '../../../engine/base/json.ts';

export const claims = '/api/v1/namespaces/default/persistentvolumeclaims';
export const claim = {
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name: 'claim' },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, storageClassName: '' },
} as const;

export interface StatusFact {
  readonly status: JsonObject;
  readonly code: number;
  /** Of a refusal. */
  readonly message?: string;
}
