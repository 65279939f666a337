/** What the expressions of one policy or of one webhook's conditions may cost together. Mirrors apiserver pkg/admission/plugin/cel/activation.go. */

/** Of a policy and one of its bindings: about a second. */
export const policyBudget = 10_000_000;
export const conditionsBudget = 2_500_000;

export class OutOfBudget extends Error {
  constructor() {
    super('validation failed due to running out of cost budget, no further validation rules will be run');
    this.name = 'OutOfBudget';
  }
}

export class CostBudget {
  #left: number;
  /** What variables have cost that the expression asked for which is evaluated now. */
  #ofVariables = 0;

  constructor(left: number) {
    this.#left = left;
  }

  spendOnVariable(cost: number): void {
    this.#ofVariables += cost;
  }

  /** Throws OutOfBudget. */
  spend(cost: number): void {
    const ofVariables = this.#ofVariables;
    this.#ofVariables = 0;
    for (const one of [ofVariables, cost]) {
      if (one > this.#left) throw new OutOfBudget();
      this.#left -= one;
    }
  }
}
