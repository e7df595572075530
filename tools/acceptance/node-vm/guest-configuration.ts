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

export const throttlingFactor = 0.8;

/** Gate MemoryQoS, for the kubelet's second start. */
export const memoryQosConfiguration = {
  featureGates: { ...firstBootConfiguration.featureGates, MemoryQoS: true },
  memoryThrottlingFactor: throttlingFactor,
  memoryReservationPolicy: 'TieredReservation',
};

/** Configuration of the second boot: no pod gets swap, and a container may lose single processes. */
export const secondBootConfiguration = {
  ...firstBootConfiguration,
  memorySwap: { swapBehavior: 'NoSwap' },
  singleProcessOOMKill: true,
};
