/** Fields of a StatefulSet that a gate allows, and what its users are warned of. Mirrors pkg/registry/apps/statefulset/strategy.go. */
import type { StatefulSet } from '../../../api/apps/v1/types.gen.ts';
import type { KindDefinition, StrategyContext } from '../../../contracts/kind.ts';
import { edit, fill } from '../../shared/defaulting.ts';
import { warnOfClaim } from '../../core/v1/volume-warnings.ts';
import { WarningList } from '../../core/v1/warning-list.ts';
import { specPath } from '../../shared/strategy.ts';
import { specTemplate, templateHooks } from '../../shared/template-hooks.ts';

const hooks = templateHooks<StatefulSet>(specTemplate(false));

export const { prepareForCreate: prepareStatefulSet, prepareForUpdate: prepareStatefulSetUpdate } = hooks;

export function statefulSetWarnings(object: StatefulSet, old: StatefulSet | undefined, context: StrategyContext): readonly string[] {
  const out = new WarningList();
  for (const text of hooks.warnings(object, old, context)) out.add(text);
  for (const [index, { spec }] of (object.spec?.volumeClaimTemplates ?? []).entries()) {
    const at = specPath.child('volumeClaimTemplates').index(index);
    // Upstream's two paths differ.
    warnOfClaim(spec ?? {}, old === undefined ? at : at.child('Spec'), out);
  }
  if ((object.spec?.revisionHistoryLimit ?? 0) < 0)
    out.add('spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended');
  return out.texts;
}

/** How many may be away is said wherever it can be. */
export const defaultUnavailable: NonNullable<KindDefinition<StatefulSet>['defaultsHere']> = (object, { featureEnabled }) => {
  if (!featureEnabled('MaxUnavailableStatefulSet')) return object;
  return edit(object, 'spec', (spec) =>
    edit(spec, 'updateStrategy', (strategy) => edit(strategy, 'rollingUpdate', (update) => fill(update, oneAway))),
  );
};

const oneAway = Object.freeze({ maxUnavailable: 1 });
