/** How an admission plugin says no. Mirrors NewForbidden of apiserver pkg/admission/errors.go. */
import { newForbidden } from '../../apimachinery/errors.ts';
import type { AdmissionAttributes } from '../admission.ts';

export function refuse({ group, resource, name }: AdmissionAttributes, why: string): never {
  throw newForbidden({ group, resource }, name, why);
}
