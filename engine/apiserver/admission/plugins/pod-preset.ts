/**
 * Pods get what the pod presets of their namespace bring along whose selector they match: variables, volumes and mounts, all of it or,
 * where anything of it contradicts what is there, nothing. Of old releases; mirrors plugin/pkg/admission/podpreset.
 */
import type { Container, Pod } from '../../../api/core/v1/types.gen.ts';
import type { PodPreset } from '../../../api/settings/v1alpha1/types.gen.ts';
import { labelSelectorAsSelector } from '../../../apimachinery/labels.ts';
import { getOwn } from '../../../base/dictionary.ts';
import { deepEqual } from '../../../base/equal.ts';
import { mirrorAnnotation } from '../../../component-helpers/pod.ts';
import { defineAdmissionPlugin } from '../plugin.ts';

const prefix = 'podpreset.admission.kubernetes.io';

export const podPreset = defineAdmissionPlugin({
  name: 'PodPreset',
  verbs: ['CREATE'],
  resources: ['pods'],
  admit(object, { stored, namespace }) {
    const pod = object as Pod;
    const { annotations, labels = {} } = pod.metadata;
    if (getOwn(annotations, mirrorAnnotation) !== undefined || getOwn(annotations, `${prefix}/exclude`) === 'true') return object;
    const presets = (stored(`podpresets/${namespace}`) as readonly PodPreset[]).filter(({ spec }) =>
      labelSelectorAsSelector(spec?.selector ?? {}).matches(labels),
    );
    return presets.length === 0 ? object : (applied(pod, presets) ?? object);
  },
});

/** Undefined where they contradict the pod, or each other. */
function applied(pod: Pod, presets: readonly PodPreset[]): Pod | undefined {
  const { spec } = pod;
  const volumes = merged(
    spec?.volumes,
    presets.flatMap((preset) => preset.spec?.volumes ?? []),
  );
  const containers = (spec?.containers ?? []).map((container) => appliedTo(container, presets));
  if (spec === undefined || volumes === undefined || containers.includes(undefined)) return undefined;
  const names = Object.fromEntries(presets.map(({ metadata }) => [`${prefix}/podpreset-${metadata.name}`, metadata.resourceVersion ?? '']));
  return {
    ...pod,
    metadata: { ...pod.metadata, annotations: { ...pod.metadata.annotations, ...names } },
    spec: { ...spec, ...(volumes.length > 0 && { volumes }), containers: containers.filter((one) => one !== undefined) },
  };
}

function appliedTo(container: Container, presets: readonly PodPreset[]): Container | undefined {
  const added = presets.flatMap((preset) => preset.spec?.volumeMounts ?? []);
  const env = merged(
    container.env,
    presets.flatMap((preset) => preset.spec?.env ?? []),
  );
  const volumeMounts = merged(container.volumeMounts, added);
  const envFrom = [...(container.envFrom ?? []), ...presets.flatMap((preset) => preset.spec?.envFrom ?? [])];
  if (env === undefined || volumeMounts === undefined || clash(container.volumeMounts, added)) return undefined;
  return {
    ...container,
    ...(env.length > 0 && { env }),
    ...(volumeMounts.length > 0 && { volumeMounts }),
    ...(envFrom.length > 0 && { envFrom }),
  };
}

/** What is there and what is new by name; undefined where one name means two things. */
function merged<T extends { readonly name: string }>(own: readonly T[] | undefined, more: readonly T[]): readonly T[] | undefined {
  const known = new Map((own ?? []).map((one) => [one.name, one]));
  const out = [...(own ?? [])];
  for (const one of more) {
    const found = known.get(one.name);
    if (found !== undefined && !deepEqual(found, one)) return undefined;
    if (found !== undefined) continue;
    known.set(one.name, one);
    out.push(one);
  }
  return out;
}

/** Whether two mounts are at one place. */
function clash(own: Container['volumeMounts'], more: NonNullable<Container['volumeMounts']>): boolean {
  const places = new Map((own ?? []).map((mount) => [mount.mountPath, mount]));
  return more.some((mount) => {
    const found = places.get(mount.mountPath);
    if (found === undefined) places.set(mount.mountPath, mount);
    return found !== undefined && !deepEqual(found, mount);
  });
}
