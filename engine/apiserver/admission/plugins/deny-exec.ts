/** Nobody joins a container that could leave its pod. Of old releases; mirrors plugin/pkg/admission/exec. */
import type { Pod } from '../../../api/core/v1/types.gen.ts';
import { type AdmissionPlugin, defineAdmissionPlugin } from '../plugin.ts';
import { refuse } from '../refusal.ts';

const namespaces = [
  ['hostNetwork', 'network'],
  ['hostPID', 'pid'],
  ['hostIPC', 'ipc'],
] as const;

/** `escapes`: what shares a namespace with its node counts as well. */
function denyExec(name: string, escapes: boolean): AdmissionPlugin {
  return defineAdmissionPlugin({
    name,
    verbs: ['CONNECT'],
    resources: ['pods'],
    subresources: ['exec', 'attach'],
    validate(attributes) {
      const pod = attributes.lookup('', 'pods', attributes.namespace, attributes.name) as Pod | undefined;
      if (pod === undefined) refuse(attributes, `pods "${attributes.name}" not found`);
      const { spec } = pod as Pod;
      for (const [field, word] of escapes ? namespaces : [])
        if (spec?.[field] === true) refuse(attributes, `cannot exec into or attach to a container using host ${word}`);
      if ([...(spec?.initContainers ?? []), ...(spec?.containers ?? [])].some(({ securityContext }) => securityContext?.privileged === true))
        refuse(attributes, 'cannot exec into or attach to a privileged container');
    },
  });
}

export const denyEscalatingExec = denyExec('DenyEscalatingExec', true);
export const denyExecOnPrivileged = denyExec('DenyExecOnPrivileged', false);
