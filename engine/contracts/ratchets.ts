/** Rules of the API that changed from release to release, by name. */

/**
 * Rules that were loosened or tightened some day; a release says of each whether it has come so far.
 * JobLabelPrefix: labels of jobs and their selector begin with `batch.kubernetes.io/` (the labels without it stay).
 * AlikeEmpties: an empty list or map where there was none is no change of what may not change.
 * MutableDisruptionBudgets: the spec of a PodDisruptionBudget may change.
 * OwnedMirrorPods: a node names itself as the owner of its mirror pods, and may not label pods or, when it is new, itself as it likes.
 * AuditedDetails: events of the audit tell what a refusal said and of what; else its reason and code alone.
 * NamedCertificates: who comes with a certificate is known with its fingerprint.
 * NamespaceNameLabel: a namespace carries its name as a label.
 * BareFinalizers: a finalizer need not be one of upstream's or have a domain.
 * BoundTokens: pods get tokens of their own; before, every service account had a Secret with one, which its pods mount.
 * StrictWebhooks: a webhook has a name of its own, says which reviews it reads, and that a dry run is safe.
 * ScaleTargetGroups: what an autoscaler scales is named with its group.
 * NamedSigners: a signing request names its signer, and not that of old which signed everything.
 * StructuralSchemas: a custom kind has a schema in each version, of an object, and unknown fields are dropped.
 * LenientEvictions: who does not run yet is evicted without a budget, who is not ready while the budget holds; without options a pod has its own grace period.
 * NamedTokens: the answer to a TokenRequest names its account, and one that names another is refused; before, what it said of itself came back.
 * PodsByPath: an eviction or a binding is of the pod that its path names; before, of the one that the body names, whatever its uid.
 * BoundedGraces: a grace period below zero is one second, and none ends before now; before, they were taken as they are.
 * EventReporters: Events of core/v1 name the component that reports them.
 * InternalValues: faults show objects as the types lie that all versions are read into.
 * ConsistentJobStatus: a job's status is judged as a whole, and what it said before binds it; before, its counts alone.
 * KeptDeletionTimes: what is deleted once more, and held by finalizers, is gone since it was first.
 * EmptyReleases: a dry run of a delete that takes away the last finalizers shows an empty object.
 * DeletionRevisions: what is deleted is answered with the revision of its deletion, and not with its last one.
 * CriticalPodsAnywhere: pods of the two classes of the system may be in any namespace; else in the system's own.
 * UnmaskedProcNeedsUsers: who sees all of /proc has users of its own.
 * AppArmorFields: what an annotation says of AppArmor becomes a field.
 * JudgedStatefulSets: the pods, claims and service name of a StatefulSet are judged with it, and not when its pods are made.
 * LeastTimeouts: a write whose `timeout` is nothing or less has the time of others; before, it had none.
 * ExpiredCaches: a watch from before what its cache holds is told that its revision has expired, as storage says it; before, that it is gone.
 * PlacedReviews: a review that names no namespace is of that which it is sent to, and its metadata is the server's; before, it has to name it, and comes back as it was sent.
 * RestingInitContainers: handlers and probes of init containers that end are refused as such; before, they were judged first.
 * PlacedScales: a Scale that names no namespace is of that which it is sent to; before, it has to name it, and one of a user's own kind its version.
 * PatientNamespaces: who deletes a namespace that is being emptied is shown it, and may say what becomes of dependents; before, it was a conflict.
 * PrunedPatches: null in a strategic merge patch takes away, also where there is nothing; before, it became an empty text in a map that was not there.
 * OwnedFields: objects say who owns which of their fields: a write that changes no more than that is kept.
 * KnownDataSources: of what a claim is to be filled from, all but claims and snapshots is forgotten.
 * MutableHistories: how many revisions a StatefulSet keeps may change.
 * UniqueOwners: an owner stands once in what it owns, however often it was sent.
 * AbsentFirst: who writes what is not there is told so, whatever uid it names and whether or not it would be admitted; before, that the uid is another, or why it is not admitted.
 * KeptQualities: a pod keeps its class of quality, whoever writes its status.
 * StrictExcepts: what a network policy leaves out of a block is a smaller block in it; before, one whose address is in it.
 * ShrinkableClaims: who has asked for a bigger volume may ask for a smaller one again as long as he has not got it.
 * PlacedSchemaFaults: what the schema of a custom kind refuses is told field by field, and what was wrong before may stay; before, all of it as one fault of the whole object.
 * InitQualities: init containers count for a pod's class of quality.
 * PlacedPartialLists: lists of partial metadata say of which revision they are.
 * KeptNullItems: null in a list of a merge patch is an item; before, it was not there.
 * FreshReads: who reads Events says of which revision they are to be at least; before, nobody looked for one of them, and a list was of that very revision.
 * DryAddresses: dry runs of services draw addresses, and judge those that are named.
 * KeptSubsets: the subsets of Endpoints stay as they are written.
 * KeptAddresses: a Service that is written without its address and its ports on nodes keeps them, and who makes one of another type need not take its ports away.
 * BalancersAlone: where a balancer is can be told of Services of that type alone, and how each address of it is led.
 * RedrawnNames: a generated name that is taken is drawn again, for which the object is copied.
 * LoneTokenFaults: who reviews a token that is nobody's is told once; before, once more for the token by which the server calls itself.
 * LateClasses: a claim without a storage class may get one later.
 * FreeNamespaces: what a namespace says of its own namespace is forgotten; before, one that named another than itself was refused when it was written again.
 * EndedBalancers: a Service that is written and has no balancer forgets where one was; before, it kept that until its status was written.
 * NewestDefault: of several default storage classes the newest is given to claims; before, claims that need one were refused.
 * PartialSums: a pod asks what its containers ask, of what some of them say nothing too; before, of that it asked nothing.
 * CoveringTolerations: a toleration stands for those that it covers; before, those of one key and effect had to be the same.
 * ReachingAddresses: a Service with addresses from outside alone is reached from there, and says how what comes is led.
 * ContainersAlike: who has to say which container is told all there are; before, those that begin first apart from the others.
 * LogStreams: logs are asked for by stream; before, nobody looked whether they were.
 * LimitedEnvironments: a service account that limits its Secrets limits those, too, that become an environment as a whole.
 * FoundComponents: a part of the control plane that is none is not found; before, asking for it failed.
 * CompletedImpersonation: who asks as somebody else is authenticated, or anonymous, whichever groups he names, and may name a uid; before, named groups were all.
 * ZonedSchedules: a schedule may begin with a zone; before, its parser knew none, and wanted both of a step of all days and a day of the week.
 * RolesByRequest: a role that a binding names in vain is told as if the binding were not there.
 */
export type Ratchet =
  | 'LateClasses'
  | 'LimitedEnvironments'
  | 'ContainersAlike'
  | 'LogStreams'
  | 'ReachingAddresses'
  | 'FreeNamespaces'
  | 'EndedBalancers'
  | 'NewestDefault'
  | 'PartialSums'
  | 'CoveringTolerations'
  | 'RolesByRequest'
  | 'ZonedSchedules'
  | 'CompletedImpersonation'
  | 'FoundComponents'
  | 'RedrawnNames'
  | 'LoneTokenFaults'
  | 'RestingInitContainers'
  | 'PlacedScales'
  | 'PatientNamespaces'
  | 'PrunedPatches'
  | 'OwnedFields'
  | 'KnownDataSources'
  | 'MutableHistories'
  | 'UniqueOwners'
  | 'AbsentFirst'
  | 'KeptQualities'
  | 'KeptAddresses'
  | 'KeptSubsets'
  | 'BalancersAlone'
  | 'StrictExcepts'
  | 'FreshReads'
  | 'DryAddresses'
  | 'KeptNullItems'
  | 'PlacedPartialLists'
  | 'InitQualities'
  | 'PlacedSchemaFaults'
  | 'ShrinkableClaims'
  | 'JobLabelPrefix'
  | 'AlikeEmpties'
  | 'MutableDisruptionBudgets'
  | 'NamespaceNameLabel'
  | 'NamedCertificates'
  | 'AuditedDetails'
  | 'OwnedMirrorPods'
  | 'BareFinalizers'
  | 'BoundTokens'
  | 'StrictWebhooks'
  | 'ScaleTargetGroups'
  | 'NamedSigners'
  | 'StructuralSchemas'
  | 'LenientEvictions'
  | 'BoundedGraces'
  | 'NamedTokens'
  | 'PodsByPath'
  | 'EventReporters'
  | 'InternalValues'
  | 'ConsistentJobStatus'
  | 'AppArmorFields'
  | 'JudgedStatefulSets'
  | 'LeastTimeouts'
  | 'ExpiredCaches'
  | 'PlacedReviews'
  | 'CriticalPodsAnywhere'
  | 'UnmaskedProcNeedsUsers'
  | 'KeptDeletionTimes'
  | 'EmptyReleases'
  | 'DeletionRevisions';
