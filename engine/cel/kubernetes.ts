/** What every expression of Kubernetes 1.36 may use (apiserver pkg/cel/environment/base.go), without what asks the authorizer. */
import { functionTable, type FunctionTable } from './functions.ts';
import { addressFunctions } from './libraries/addresses.ts';
import { formatFunctions } from './libraries/formats.ts';
import { listExtension, listFunctions, setFunctions } from './libraries/lists.ts';
import { optionalFunctions } from './libraries/optionals.ts';
import { patternFunctions } from './libraries/patterns.ts';
import { quantityFunctions } from './libraries/quantity.ts';
import { semverFunctions } from './libraries/semver.ts';
import { stringFunctions } from './libraries/strings.ts';
import { urlFunctions } from './libraries/urls.ts';
import { standardFunctions } from './standard.ts';

export const kubernetesFunctions: FunctionTable = functionTable(
  standardFunctions,
  stringFunctions,
  listFunctions,
  listExtension,
  setFunctions,
  patternFunctions,
  urlFunctions,
  quantityFunctions,
  semverFunctions,
  addressFunctions,
  optionalFunctions,
  formatFunctions,
);
