/** Images whose main content is a shell: their default command ends at once, as it does without a terminal. */
import { defineImage } from '../runtime/image-definition.ts';

export const busyboxImage = defineImage({
  repository: 'docker.io/library/busybox',
  sizeBytes: 2_223_685,
  cmd: ['sh'],
  shell: true,
  programs: {},
  missingTags: ['1.999', 'doesnotexist', 'does-not-exist', 'nonexistent', 'no-such-tag'],
});

/** The same as upstream's tests pull it. */
export const testBusyboxImage = defineImage({
  repository: 'registry.k8s.io/e2e-test-images/busybox',
  sizeBytes: 2_223_685,
  cmd: ['sh'],
  shell: true,
  programs: {},
});

export const alpineImage = defineImage({ repository: 'docker.io/library/alpine', sizeBytes: 3_805_187, cmd: ['/bin/sh'], shell: true, programs: {} });

export const debianImage = defineImage({ repository: 'docker.io/library/debian', sizeBytes: 48_497_381, cmd: ['bash'], shell: true, programs: {} });

export const ubuntuImage = defineImage({
  repository: 'docker.io/library/ubuntu',
  sizeBytes: 29_723_672,
  cmd: ['/bin/bash'],
  shell: true,
  programs: {},
});

export const bashImage = defineImage({
  repository: 'docker.io/library/bash',
  sizeBytes: 6_612_004,
  entrypoint: ['docker-entrypoint.sh'],
  cmd: ['bash'],
  shell: true,
  programs: {},
});

export const perlImage = defineImage({
  repository: 'docker.io/library/perl',
  sizeBytes: 336_389_121,
  cmd: ['perl', '-de0'],
  shell: true,
  programs: {},
});

export const curlImage = defineImage({
  repository: 'docker.io/curlimages/curl',
  sizeBytes: 9_532_811,
  entrypoint: ['/entrypoint.sh'],
  cmd: ['curl'],
  shell: true,
  programs: {},
});
