/** Defaults by the rules of their schema. Mirrors pkg/apiserver/schema/defaulting/validation.go of apiextensions-apiserver. */
import type { FieldErrorList, FieldPath } from '../../apimachinery/field-errors.ts';
import type { JsonValue } from '../../base/json.ts';
import type { Structural } from '../schema/structural.ts';
import { costBudget, RuleValidator } from './validator.ts';

/** Judges the defaults of one schema, all within one budget: as values that stay what they are, then as values that are new. */
export function ruleJudgeOfDefaults(): (s: Structural, value: JsonValue, path: FieldPath) => FieldErrorList {
  let left = costBudget;
  return (s, value, path) => {
    if (!s.hasRules || left < 0) return [];
    const validator = new RuleValidator(s, s.embeddedResource);
    const kept = validator.validate(value, { path, old: value, budget: left });
    if (kept.faults.length > 0) {
      left = kept.left;
      return kept.faults;
    }
    const made = validator.validate(value, { path, budget: left });
    left = Math.min(kept.left, made.left);
    return made.faults;
  };
}
