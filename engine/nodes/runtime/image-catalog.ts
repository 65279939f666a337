/**
 * All images there are to pull: the built-in ones, overlaid by the cluster's ImageProfile objects, behind registries that may be
 * out of reach. What nobody has described exists in every tag and runs until it is stopped.
 */
import { type Cause, mergeCauses } from '../../base/causes.ts';
import { type FaultPoints, registryDown, registrySlowness } from '../../base/fault-points.ts';
import { builtinImages } from '../images/index.ts';
import { unknownImageBytes } from '../physics.ts';
import type { ImageDefinition } from './image-definition.ts';
import { parseImageName, type ImageName } from './image-name.ts';

export interface FoundImage {
  readonly definition: ImageDefinition;
  readonly sizeBytes: number;
  readonly digest: string;
}

export class ImageCatalog {
  readonly #builtin: ReadonlyMap<string, ImageDefinition>;
  readonly #profiles = new Map<string, ImageDefinition>();
  readonly #names = new Map<string, ImageName | string>();
  readonly #unknown = new Map<string, ImageDefinition>();
  readonly #points: FaultPoints;

  constructor(points: FaultPoints, builtin: readonly ImageDefinition[] = builtinImages) {
    this.#points = points;
    this.#builtin = new Map(builtin.map((image) => [image.repository, image]));
  }

  /** Parsed once per text: pods of one template share it. */
  parse(image: string): ImageName | string {
    let name = this.#names.get(image);
    if (name === undefined) {
      name = parseImageName(image);
      this.#names.set(image, name);
    }
    return name;
  }

  setProfile(repository: string, definition: ImageDefinition | undefined): void {
    if (definition === undefined) this.#profiles.delete(repository);
    else this.#profiles.set(repository, definition);
  }

  definition(repository: string): ImageDefinition {
    const known = this.#profiles.get(repository) ?? this.#builtin.get(repository);
    if (known !== undefined) return known;
    let unknown = this.#unknown.get(repository);
    if (unknown === undefined) {
      unknown = { repository, sizeBytes: unknownImageBytes, shell: true, programs: {}, anyCommand: true };
      this.#unknown.set(repository, unknown);
    }
    return unknown;
  }

  reachable(host: string): boolean {
    return !this.#points.value(registryDown, host);
  }

  /** How many times longer an answer of the registry takes. */
  slowness(host: string): number {
    return this.#points.value(registrySlowness, host);
  }

  /** Faults that a pull from the registry meets, or has met before. */
  faultCauses(host: string): readonly Cause[] {
    return mergeCauses(
      mergeCauses(this.#points.causes(registryDown, host), this.#points.causes(registrySlowness, host)),
      mergeCauses(this.#points.causes(registryDown), this.#points.causes(registrySlowness)),
    );
  }

  exists(name: ImageName): boolean {
    const { tags, missingTags } = this.definition(name.repository);
    if (name.digest !== '') return true;
    return (tags === undefined || tags.includes(name.tag)) && !(missingTags?.includes(name.tag) ?? false);
  }
}

/** A digest that looks like one and says whose it is: made from the name, not from content. */
export function digestOf(text: string): string {
  let digest = '';
  for (let part = 0; part < 8; part++) {
    let hash = 0x811c9dc5 ^ part;
    for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
    hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
    digest += ((hash ^ (hash >>> 16)) >>> 0).toString(16).padStart(8, '0');
  }
  return `sha256:${digest}`;
}
