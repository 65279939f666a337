/**
 * Objects that name no class get the one annotated as default: claims their StorageClass, ingresses their IngressClass. Of several
 * default storage classes the newest counts; several ingress classes are refused. Mirrors plugin/pkg/admission/storage/storageclass/setdefault
 * and plugin/pkg/admission/network/defaultingressclass.
 */
import type { PersistentVolumeClaim } from '../../../api/core/v1/types.gen.ts';
import type { Ingress, IngressClass } from '../../../api/networking/v1/types.gen.ts';
import type { StorageClass } from '../../../api/storage/v1/types.gen.ts';
import { bestDefault, claimHasClass, defaultStorageClasses } from '../../../component-helpers/storage.ts';
import type { KubeObject } from '../../../apimachinery/object.ts';
import type { AdmissionAttributes } from '../../admission.ts';
import { type AdmissionPlugin, defineAdmissionPlugin } from '../plugin.ts';
import { refuse } from '../refusal.ts';

const ingressAnnotation = 'ingressclass.kubernetes.io/is-default-class';
const legacyIngressAnnotation = 'kubernetes.io/ingress.class';

/** `newestCounts`: of several defaults; else none does, and all are refused. */
export function createDefaultStorageClass(
  classes: (attributes: AdmissionAttributes) => readonly StorageClass[],
  newestCounts: boolean,
): AdmissionPlugin {
  return defineAdmissionPlugin({
    name: 'DefaultStorageClass',
    verbs: ['CREATE'],
    resources: ['persistentvolumeclaims'],
    admit(object, attributes) {
      const claim = object as PersistentVolumeClaim;
      if (claim.spec === undefined || claimHasClass(claim)) return object;
      const defaults = defaultStorageClasses(classes(attributes));
      if (defaults.length > 1 && !newestCounts) refuse(attributes, `Internal error occurred: ${defaults.length} default StorageClasses were found`);
      const newest = bestDefault(defaults);
      return newest?.metadata.name === undefined ? object : { ...claim, spec: { ...claim.spec, storageClassName: newest.metadata.name } };
    },
  });
}

export function createDefaultIngressClass(classes: (attributes: AdmissionAttributes) => readonly IngressClass[]): AdmissionPlugin {
  return defineAdmissionPlugin({
    name: 'DefaultIngressClass',
    verbs: ['CREATE'],
    resources: ['ingresses.networking.k8s.io'],
    admit(object, attributes) {
      const ingress = object as Ingress;
      if (ingress.spec?.ingressClassName !== undefined || ingress.metadata.annotations?.[legacyIngressAnnotation] !== undefined) return object;
      const defaults = classes(attributes).filter((entry) => isAnnotated(entry, ingressAnnotation));
      if (defaults.length > 1) {
        refuse(attributes, `${defaults.length} default IngressClasses were found, only 1 allowed`);
      }
      const name = defaults[0]?.metadata.name;
      return name === undefined ? object : { ...ingress, spec: { ...ingress.spec, ingressClassName: name } };
    },
  });
}

function isAnnotated(object: KubeObject, annotation: string): boolean {
  return object.metadata.annotations?.[annotation] === 'true';
}
