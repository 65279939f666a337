/** Whether a container may run as the user that it would run as. Mirrors verifyRunAsNonRoot of pkg/kubelet/kuberuntime/security_context_others.go. */
import type { ImageDefinition } from '../runtime/image-definition.ts';
import { containerSpec, podText } from './environment.ts';
import type { ContainerRun, PodWorker } from './worker.ts';

/** Upstream's error, or undefined. Images that nobody described are taken to keep to what their pods ask for. */
export function rootRefused(worker: PodWorker, run: ContainerRun, definition: ImageDefinition): string | undefined {
  const { securityContext: own } = containerSpec(worker.pod, run);
  const shared = worker.pod.spec?.securityContext;
  if ((own?.runAsNonRoot ?? shared?.runAsNonRoot) !== true) return undefined;
  const where = `(pod: ${JSON.stringify(podText(worker))}, container: ${run.name})`;
  const asked = own?.runAsUser ?? shared?.runAsUser;
  if (asked !== undefined) return Number(asked) === 0 ? `container's runAsUser breaks non-root policy ${where}` : undefined;
  const user = definition.user ?? (definition.anyCommand === true ? '65532' : '0');
  if (!/^\d+$/.test(user)) return `container has runAsNonRoot and image has non-numeric user (${user}), cannot verify user is non-root ${where}`;
  return Number(user) === 0 ? `container has runAsNonRoot and image will run as root ${where}` : undefined;
}
