/** The controllers of kube-controller-manager: the runtime's contract with the controller manager's options. */
import {
  checkController,
  type Controller,
  type ControllerDefinition as Definition,
  type ControllerEnvironment as Environment,
} from '../controller-runtime/controller.ts';
import type { ControllerOptions } from './options/index.gen.ts';

export type { ControllerOptions } from './options/index.gen.ts';
export type { TokenSecretOptions } from './options/family.ts';

export type ControllerEnvironment = Environment<ControllerOptions>;
export type ControllerDefinition<C extends Controller = Controller> = Definition<C, ControllerOptions>;

export function defineController<C extends Controller>(definition: ControllerDefinition<C>): ControllerDefinition {
  return checkController(definition);
}
