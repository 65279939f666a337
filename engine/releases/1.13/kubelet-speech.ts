/**
 * What kubelets of release 1.13 say. Mirrors its pkg/kubelet: kuberuntime (kuberuntime_container.go, kuberuntime_manager.go), images,
 * prober, volumemanager, eviction/helpers.go and kubelet.go (rejectPod); names of images are those of dockershim.
 */
import type { KubeletSpeech } from '../../contracts/release.ts';

const quoted = String.raw`"(?:[^"\\]|\\.)*"`;

export const kubeletSpeech: KubeletSpeech = {
  runtime: 'docker',
  words: [
    [new RegExp(`^(Container image ${quoted} already present on machine) and can be accessed by the pod$`, 'g'), '$1'],
    [/^Pulling image (?=")/g, 'pulling image '],
    [new RegExp(`^(Successfully pulled image ${quoted}) in .*$`, 'g'), '$1'],
    [new RegExp(`^(Back-off pulling image ${quoted}): ErrImagePull: .*$`, 'gs'), '$1'],
    [/^Container created$/g, 'Created container'],
    [/^Container started$/g, 'Started container'],
    [/^Back-off restarting failed container \S+ in pod .*$/g, 'Back-off restarting failed container'],
    [/^back-off (?=\S+ restarting failed container=)/g, 'Back-off '],
    [/^Stopping container \S+$/g, 'Killing container with id docker://{container}:Need to kill Pod'],
    [/^FailedPostStartHook$/g, 'Killing container with id docker://{container}:FailedPostStartHook'],
    [/^Container \S+ failed liveness probe(?=$|, )/g, 'Killing container with id docker://{container}:Container failed liveness probe.'],
    [/(?<=:Container failed liveness probe\.), will be restarted$/g, '. Container will be killed and recreated.'],
    [/^(Liveness|Readiness) probe errored and resulted in unknown state: /g, '$1 probe errored: '],
    [
      /^Unable to attach or mount volumes: unmounted volumes=(\[[^\]]*\]), unattached volumes=(\[[^\]]*\]), .*$/gs,
      'Unable to mount volumes for pod "{pod}": timeout expired waiting for volumes to attach or mount for pod "{namespace}"/"{name}". list of unmounted volumes=$1. list of unattached volumes=$2',
    ],
    [/^Failed to create pod sandbox: /g, 'Failed create pod sandbox: '],
    [/^Pod was rejected: /g, 'Pod '],
    [/^(The node was low on resource: \S+\. )Threshold quantity: [^,]*, available: \S+\. /g, '$1'],
    [/(Container \S+ was using \S+), request is (\S+), has larger consumption of \S+\. /g, '$1, which exceeds its request of $2. '],
  ],
};
