/** What a resource's name says of it. Mirrors the name helpers of pkg/apis/core/v1/helper. */
import { isQualifiedName } from '../apimachinery/validation.ts';

export function isHugePages(name: string): boolean {
  return name.startsWith('hugepages-');
}

/** Kubernetes' own: `cpu`, or anything below `kubernetes.io/`. */
export function isNativeResource(name: string): boolean {
  return !name.includes('/') || name.includes('kubernetes.io/');
}

const classPrefix = 'deviceclass.resource.kubernetes.io/';

/** A resource that a DeviceClass may stand for: under a name that it gives, or under its own. */
export function isDeviceBackedName(name: string): boolean {
  return name.startsWith(classPrefix) || isExtendedResource(name);
}

export function resourceOfClass(deviceClass: string): string {
  return `${classPrefix}${deviceClass}`;
}

/** Advertised by whoever knows of it, such as a device plugin or a patch of the Node's status. */
export function isExtendedResource(name: string): boolean {
  return !isNativeResource(name) && !name.startsWith('requests.') && isQualifiedName(`requests.${name}`).length === 0;
}
