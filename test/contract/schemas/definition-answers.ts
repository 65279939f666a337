/** What we answer to a definition, in the form of the recorded answers: faults sorted. */
import { createSchemaRegistry } from '../../../engine/api/schemas.ts';
import type { CustomResourceDefinition } from '../../../engine/api/apiextensions/v1/types.gen.ts';
import { errorText } from '../../../engine/apimachinery/field-errors.ts';
import { canonicalize } from '../../../engine/apimachinery/serializer/canonicalize.ts';
import { validateObjectMeta } from '../../../engine/apimachinery/validation.ts';
import { customResourceDefinitionKind } from '../../../engine/kinds/apiextensions/v1/custom-resource-definition.ts';
import { nameJudge } from '../../../engine/registry/meta-checks.ts';
import type { JsonObject } from '../../../engine/base/json.ts';
import { defaultCustomResourceDefinition, prepareDefinition } from '../../../engine/kinds/apiextensions/v1/defaults.ts';
import { validateDefinition, validateDefinitionUpdate } from '../../../engine/kinds/apiextensions/v1/validation.ts';
import { featureEnabled } from '../../support/default-gates.ts';
import type { DefinitionCase } from './definitions.ts';

const schemas = createSchemaRegistry();
const schema = schemas.mustGet('io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinition');
const context = { ratcheted: () => true, featureEnabled };

const read = (object: JsonObject): CustomResourceDefinition => defaultCustomResourceDefinition(canonicalize(object as never, schema, schemas));

export function answerDefinition({ new: next, old }: DefinitionCase): readonly string[] {
  const read1 = read(next);
  const faults =
    old === undefined
      ? [
          ...validateObjectMeta(read1.metadata, false, nameJudge(customResourceDefinitionKind as never, read1), ['metadata']),
          ...validateDefinition(prepareDefinition(read1), context),
        ]
      : validateDefinitionUpdate(read1, read(old), context);
  return faults.map(errorText).sort();
}
