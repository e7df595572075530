export const SWAP_FILE = '/swap';
export const swapMib = 256;
/** Memory reserved for the kubelet and the system. */
export const reservedMib = 164;

/** Configuration of the first boot. The cgroup driver is wrong on purpose: the runtime's answer must win. */
export const firstBootConfiguration = {
  cgroupDriver: 'cgroupfs',
  podPidsLimit: 200,
  enforceNodeAllocatable: ['pods'],
  kubeReserved: { cpu: '100m', memory: '100Mi' },
  systemReserved: { memory: '64Mi' },
  evictionHard: { 'memory.available': '40Mi' },
  failSwapOn: false,
  memorySwap: { swapBehavior: 'LimitedSwap' },
  shutdownGracePeriod: '30s',
  shutdownGracePeriodCriticalPods: '10s',
  // Nobody else attaches volumes while the node belongs to no server.
  enableControllerAttachDetach: false,
  volumeStatsAggPeriod: '5s',
  featureGates: { LocalStorageCapacityIsolationFSQuotaMonitoring: true },
};

/** Configuration of the second boot: no pod gets swap. */
export const secondBootConfiguration = { ...firstBootConfiguration, memorySwap: { swapBehavior: 'NoSwap' } };
