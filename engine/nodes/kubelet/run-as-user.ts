/** Whether a container may run as the user that it would run as. Mirrors verifyRunAsNonRoot of pkg/kubelet/kuberuntime/security_context_others.go. */
import type { LinuxContainerUser } from '../../api/core/v1/types.gen.ts';
import type { ImageDefinition } from '../runtime/image-definition.ts';
import { containerSpec, podText } from './environment.ts';
import type { ContainerRun, PodWorker } from './worker.ts';

/**
 * Whom the first process of a container runs as: what the pod asks for, else whom the image names by number, else root. Its group comes
 * first among those that it is in. What groups an image puts its users into nobody has said.
 */
export function userOf({ pod }: PodWorker, run: ContainerRun, { user }: ImageDefinition): LinuxContainerUser {
  const { securityContext: own } = containerSpec(pod, run);
  const shared = pod.spec?.securityContext;
  const ofImage = user !== undefined && /^\d+$/.test(user) ? Number(user) : 0;
  const uid = Number(own?.runAsUser ?? shared?.runAsUser ?? ofImage);
  const gid = Number(own?.runAsGroup ?? shared?.runAsGroup ?? 0);
  const more = [...(shared?.supplementalGroups ?? []), ...(shared?.fsGroup === undefined ? [] : [shared.fsGroup])].map(Number);
  const others = [...new Set(more)].filter((group) => group !== gid).sort((a, b) => a - b);
  return { uid, gid, supplementalGroups: [gid, ...others] };
}

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
