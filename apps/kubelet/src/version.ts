/** The Kubernetes release whose kubelet this one stands in for. */
export const version = 'v1.36.0';
