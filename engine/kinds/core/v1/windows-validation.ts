/** Pods of Windows, and what pods of Linux cannot have. Mirrors validateWindowsSecurityContextOptions, validateWindowsHostProcessPod, validateWindows and validateLinux of pkg/apis/core/validation. */
import type { PodSpec, WindowsSecurityContextOptions } from '../../../api/core/v1/types.gen.ts';
import { type FieldPath, forbidden, invalid } from '../../../apimachinery/field-errors.ts';
import { byteLength, isDNS1123Subdomain } from '../../../apimachinery/validation.ts';
import { eachContainer } from './containers.ts';
import type { Faults } from './resource-validation.ts';

const longestSpecKiB = 64;
const longestDomain = 256;
const longestUser = 104;
const netBios = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/;
const dnsDomain = /^[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/;

export function validateWindowsOptions(options: WindowsSecurityContextOptions | undefined, path: FieldPath, out: Faults): void {
  if (!options) return;
  const { gmsaCredentialSpecName: name, gmsaCredentialSpec: text, runAsUserName: user } = options;
  if (name !== undefined) for (const fault of isDNS1123Subdomain(name)) out.push(invalid(path.child('gmsaCredentialSpecName'), name, fault));
  if (text === '') out.push(invalid(path.child('gmsaCredentialSpec'), text, 'gmsaCredentialSpec cannot be an empty string'));
  else if (text !== undefined && byteLength(text) > longestSpecKiB * 1024)
    out.push(invalid(path.child('gmsaCredentialSpec'), text, `gmsaCredentialSpec size must be under ${longestSpecKiB} KiB`));
  if (user === undefined) return;
  for (const fault of userFaults(user)) out.push(invalid(path.child('runAsUserName'), user, fault));
}

function userFaults(text: string): readonly string[] {
  if (text === '') return ['runAsUserName cannot be an empty string'];
  if ([...text].some((character) => character < ' ' || character === '\u007f')) return ['runAsUserName cannot contain control characters'];
  const parts = text.split('\\');
  if (parts.length > 2) return ['runAsUserName cannot contain more than one backslash'];
  const user = parts.at(-1) ?? '';
  const domain = parts.length === 2 ? parts[0] : undefined;
  const faults: string[] = [];
  if (domain !== undefined && domain.length >= longestDomain) faults.push(`runAsUserName's Domain length must be under ${longestDomain} characters`);
  if (domain !== undefined && !netBios.test(domain) && !dnsDomain.test(domain))
    faults.push("runAsUserName's Domain doesn't match the NetBios nor the DNS format");
  if (user === '') faults.push("runAsUserName's User cannot be empty");
  else if (user.length > longestUser) faults.push(`runAsUserName's User length must not be longer than ${longestUser} characters`);
  if (/^[. ]+$/.test(user)) faults.push("runAsUserName's User cannot contain only periods or spaces");
  if (/["/\\:;|=,+*?<>@[\]]/.test(user)) faults.push('runAsUserName\'s User cannot contain the following characters: "/\\:;|=,+*?<>@[]');
  return faults;
}

/** Either all containers are processes of the host, or none. */
export function validateHostProcess(spec: PodSpec, path: FieldPath, out: Faults): void {
  const own = spec.securityContext?.windowsOptions?.hostProcess;
  let all = 0;
  let ofHost = 0;
  eachContainer(spec, path, ({ securityContext }, at) => {
    all++;
    const said = securityContext?.windowsOptions?.hostProcess;
    if (own !== undefined && said !== undefined && own !== said) {
      const text = `pod hostProcess value must be identical if both are specified, was ${own}`;
      out.push(invalid(at().child('securityContext', 'windowsOptions', 'hostProcess'), said, text));
    }
    if (said ?? own) ofHost++;
  });
  if (ofHost === 0) return;
  if (ofHost !== all) out.push(invalid(path, '', 'If pod contains any hostProcess containers then all containers must be HostProcess containers'));
  if (spec.hostNetwork !== true)
    out.push(invalid(path.child('hostNetwork'), false, 'hostNetwork must be true if pod contains any hostProcess containers'));
}

const linuxText = 'windows options cannot be set for a linux pod';
const windowsText = 'cannot be set for a windows pod';

export function validateLinux(spec: PodSpec, path: FieldPath, out: Faults): void {
  if (spec.securityContext?.windowsOptions) out.push(forbidden(path.child('securityContext').child('windowsOptions'), linuxText));
  eachContainer(spec, path, ({ securityContext }, at) => {
    if (securityContext?.windowsOptions) out.push(forbidden(at().child('securityContext').child('windowsOptions'), linuxText));
  });
}

/** Members of the pod stand beside its security context. */
const ofPod = [
  'securityContext.appArmorProfile',
  'securityContext.seLinuxOptions',
  'hostUsers',
  'hostPID',
  'hostIPC',
  'securityContext.seccompProfile',
  'securityContext.fsGroup',
  'securityContext.fsGroupChangePolicy',
  'securityContext.sysctls',
  'shareProcessNamespace',
  'securityContext.runAsUser',
  'securityContext.runAsGroup',
  'securityContext.supplementalGroups',
  'securityContext.supplementalGroupsPolicy',
  'securityContext.seLinuxChangePolicy',
];
const ofContainer = [
  'appArmorProfile',
  'seLinuxOptions',
  'seccompProfile',
  'capabilities',
  'readOnlyRootFilesystem',
  'privileged',
  'allowPrivilegeEscalation',
  'procMount',
  'runAsUser',
  'runAsGroup',
] as const;

export function validateWindows(spec: PodSpec, path: FieldPath, out: Faults): void {
  const members = { ...spec, ...prefixed(spec.securityContext) } as { readonly [name: string]: unknown };
  for (const name of ofPod) {
    const value = members[name];
    const isSet = name === 'hostPID' || name === 'hostIPC' ? value === true : value !== undefined && !(name.endsWith('sysctls') && isEmpty(value));
    if (isSet) out.push(forbidden(path.child(...(name.split('.') as [string, ...string[]])), windowsText));
  }
  eachContainer(spec, path, ({ securityContext }, at) => {
    for (const name of ofContainer)
      if (securityContext?.[name] !== undefined) out.push(forbidden(at().child('securityContext').child(name), windowsText));
  });
}

function prefixed(context: PodSpec['securityContext']): object {
  return Object.fromEntries(Object.entries(context ?? {}).map(([name, value]) => [`securityContext.${name}`, value as unknown]));
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}
