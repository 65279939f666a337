/** Every checker, made anew for a run: they remember. */
import type { Promises } from '../promises.ts';
import { budgetsCountTheHealthy } from './budgets.ts';
import type { Checker } from './checker.ts';
import { cronJobsKeepTheirSchedule } from './cron-jobs.ts';
import { finalizersAreHonoured, gracePeriodsAreKept, namespacesGoLast } from './deletion.ts';
import { servicesLeadToReadyPods } from './endpoints.ts';
import { evictionsAreInTime } from './evictions.ts';
import { generationsCount } from './generations.ts';
import { cachesAreTrue } from './informers.ts';
import { jobsCountRight, jobsLiveTheirTime } from './jobs.ts';
import { limitRangesHold } from './limit-ranges.ts';
import { podsGoWithTheirNodes, silenceIsNoticed, taintsComeAtTheRate } from './nodes.ts';
import { collectionIsRight, nothingIsLeftOver, oneController } from './owners.ts';
import { placementIsAllowed } from './placement.ts';
import { addressesAreUnique, nodesAreNotOverfull, podsAreBoundOnce, podsLiveForwards } from './pod-checkers.ts';
import { onlyTheLesserMakeRoom, prioritiesAreThoseOfClasses } from './preemption.ts';
import { quotasHold, quotasSayWhatIsUsed } from './quotas.ts';
import { neverTooMany } from './replicas.ts';
import { autoscalersKeepTheirBounds } from './autoscalers.ts';
import { membersRunOnce } from './machines.ts';
import { membersComeInOrder, onePodOnANode, setsSayWhatIs } from './sets.ts';
import { claimsHaveOneVolume, claimsOfOnePodAreKept, volumesAreOnOneNode, whatIsUsedStays } from './volumes.ts';
import { spreadIsEven } from './spread.ts';
import { statusIsTrue } from './status.ts';
import { fieldsAreManaged, revisionsRise, watchIsGapless, writesHaveCauses } from './store-checkers.ts';

export interface CheckerOptions {
  readonly promises: Promises;
  /** Nodes of a zone above which it counts as large. */
  readonly largeZone: number;
}

export function allCheckers({ promises, largeZone }: CheckerOptions): readonly Checker[] {
  return [
    revisionsRise(),
    watchIsGapless(),
    writesHaveCauses(),
    fieldsAreManaged(),
    cachesAreTrue(),
    generationsCount(),
    oneController(),
    collectionIsRight(promises),
    nothingIsLeftOver(),
    finalizersAreHonoured(promises),
    gracePeriodsAreKept(promises),
    namespacesGoLast(),
    podsAreBoundOnce(),
    podsLiveForwards(),
    addressesAreUnique(),
    nodesAreNotOverfull(),
    placementIsAllowed(),
    spreadIsEven(),
    onlyTheLesserMakeRoom(),
    prioritiesAreThoseOfClasses(),
    neverTooMany(),
    statusIsTrue(),
    servicesLeadToReadyPods(),
    budgetsCountTheHealthy(),
    quotasHold(),
    quotasSayWhatIsUsed(),
    limitRangesHold(),
    jobsCountRight(),
    jobsLiveTheirTime(),
    cronJobsKeepTheirSchedule(),
    evictionsAreInTime(),
    silenceIsNoticed(),
    taintsComeAtTheRate(largeZone),
    podsGoWithTheirNodes(),
    membersComeInOrder(),
    membersRunOnce(),
    onePodOnANode(),
    setsSayWhatIs(),
    volumesAreOnOneNode(),
    claimsHaveOneVolume(),
    claimsOfOnePodAreKept(),
    whatIsUsedStays(),
    autoscalersKeepTheirBounds(),
  ];
}
