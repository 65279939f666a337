/** Load generators, which take from their machine what their arguments say. */
import { defineImage } from '../runtime/image-definition.ts';

const onTerm = { afterMs: 20, exitCode: 143 };

/** `stress --vm 1 --vm-bytes 150M`, of the tasks on memory in Kubernetes' documentation. */
export const polinuxStressImage = defineImage({
  repository: 'docker.io/polinux/stress',
  sizeBytes: 4_041_495,
  cmd: ['stress'],
  shell: true,
  programs: {
    stress: { log: ['stress: info: [1] dispatching hogs'], loadFromArguments: true, onTerm },
  },
});

/** `-cpus 2`, of the tasks on CPU. */
export const vishStressImage = defineImage({
  repository: 'docker.io/vish/stress',
  sizeBytes: 1_558_791,
  entrypoint: ['/stress'],
  shell: false,
  programs: {
    stress: { log: ['{time} main.go:26] Allocating memory, consuming CPU as told'], loadFromArguments: true, onTerm },
  },
});
