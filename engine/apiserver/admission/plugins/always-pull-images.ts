/** Images are pulled each time, so that who may not pull one does not run what another one has pulled. Mirrors plugin/pkg/admission/alwayspullimages. */
import type { Container, Pod, PodSpec } from '../../../api/core/v1/types.gen.ts';
import { newStatusError } from '../../../apimachinery/errors.ts';
import { type FieldPath, errorText, notSupported, root } from '../../../apimachinery/field-errors.ts';
import type { AdmissionAttributes } from '../../admission.ts';
import { defineAdmissionPlugin } from '../plugin.ts';
import { refusal } from '../refusal.ts';

const always = 'Always';
const lists = ['initContainers', 'containers', 'ephemeralContainers'] as const;

export const alwaysPullImages = defineAdmissionPlugin({
  name: 'AlwaysPullImages',
  verbs: ['CREATE', 'UPDATE'],
  resources: ['pods'],
  admit(object, attributes) {
    const { spec } = object as Pod;
    if (spec === undefined || bringsNothing(attributes)) return object;
    const pulled = <C extends Pick<Container, 'imagePullPolicy'>>(containers: readonly C[]): readonly C[] =>
      containers.map((container) => ({ ...container, imagePullPolicy: always }));
    const { containers, initContainers, ephemeralContainers, volumes } = spec;
    return {
      ...object,
      spec: {
        ...spec,
        ...(volumes && {
          volumes: volumes.map((volume) => (volume.image === undefined ? volume : { ...volume, image: { ...volume.image, pullPolicy: always } })),
        }),
        ...(initContainers && { initContainers: pulled(initContainers) }),
        ...(containers && { containers: pulled(containers) }),
        ...(ephemeralContainers && { ephemeralContainers: pulled(ephemeralContainers) }),
      },
    };
  },
  validate(attributes) {
    const { spec } = attributes.object as Pod;
    if (spec === undefined || bringsNothing(attributes)) return;
    const texts: string[] = [];
    const expect = (path: FieldPath, policy = ''): void => {
      if (policy !== always) texts.push(refusal(attributes, errorText(notSupported(path, policy, [always]))).status.message ?? '');
    };
    for (const name of lists)
      (spec[name] ?? []).forEach(({ imagePullPolicy }, index) =>
        expect(root('spec').child(name).index(index).child('imagePullPolicy'), imagePullPolicy),
      );
    (spec.volumes ?? []).forEach(({ image }, index) => {
      if (image !== undefined) expect(root('spec').child('volumes').index(index).child('image', 'pullPolicy'), image.pullPolicy);
    });
    // Several faults in one are no Status of upstream's.
    if (texts.length > 0) throw newStatusError(500, '', texts.length === 1 ? (texts[0] as string) : `[${[...new Set(texts)].join(', ')}]`);
  },
});

/** An update to images that the pod has already. */
function bringsNothing({ verb, object, oldObject }: AdmissionAttributes): boolean {
  if (verb !== 'UPDATE') return false;
  const known = new Set(imagesOf((oldObject as Pod).spec));
  return imagesOf((object as Pod).spec).every((image) => known.has(image));
}

function imagesOf(spec: PodSpec | undefined): readonly string[] {
  return lists.flatMap((name) => (spec?.[name] ?? []).map(({ image = '' }) => image));
}
