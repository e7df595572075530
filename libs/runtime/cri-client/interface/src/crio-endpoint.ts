/**
 * Whether an endpoint of the runtime is CRI-O's: its socket below any directory, such as unix:///var. Source: kubernetes
 * v1.36 pkg/kubelet/cadvisor/util.go UsingLegacyCadvisorStats.
 */
export const isCrioEndpoint = (endpoint: string): boolean => endpoint.endsWith('run/crio/crio.sock');
