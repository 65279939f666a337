/** How EndpointSlices belong to Services. */

/** The name of the Service, on its slices. */
export const serviceNameLabel = 'kubernetes.io/service-name';
