/** The Service of the cluster's names. The cluster answers at its address itself, with or without pods behind it. */
export const clusterDns = { namespace: 'kube-system', name: 'kube-dns' } as const;
