/** What is said of an APIService whose API is served here. Mirrors kube-aggregator's NewLocalAvailableAPIServiceCondition. */
export const localVerdict = { status: 'True', reason: 'Local', message: 'Local APIServices are always available' } as const;
