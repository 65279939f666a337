/** What is said of an APIService whose API is served here. Mirrors kube-aggregator's NewLocalAvailableAPIServiceCondition. */
export const localVerdict = { status: 'True', reason: 'Local', message: 'Local APIServices are always available' } as const;
/** Of an APIService that the server keeps itself: `onstart` for what is built in, which it makes once, `true` for what a definition brings. */
export const automanagedLabel = 'kube-aggregator.kubernetes.io/automanaged';
