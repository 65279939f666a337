/**
 * Brings what a controller has put together into the form that the API server keeps: fields in the order of their types, map keys
 * sorted, nothing empty. Components hand their objects over as they are, so those that were made of parts pass here first.
 */
import { createSchemaRegistry } from '../../api/schemas.ts';
import type { Pod, PodTemplateSpec } from '../../api/core/v1/types.gen.ts';
import type { SchemaRegistry } from '../../apimachinery/schema.ts';
import { canonicalize } from '../../apimachinery/serializer/canonicalize.ts';

export class CanonicalForm {
  #schemas: SchemaRegistry | undefined;

  pod(pod: Pod): Pod {
    return this.#of<unknown>('Pod', pod) as Pod;
  }

  /** Throws DecodeError for what is no template. */
  template(template: unknown): PodTemplateSpec {
    return this.#of('PodTemplateSpec', template) as PodTemplateSpec;
  }

  #of<T>(name: string, value: T): T {
    this.#schemas ??= createSchemaRegistry();
    return canonicalize(value, this.#schemas.mustGet(`io.k8s.api.core.v1.${name}`), this.#schemas);
  }
}
