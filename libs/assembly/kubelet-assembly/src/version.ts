/** The Kubernetes release that this kubelet is compatible with. */
export const version = 'v1.36.0';
