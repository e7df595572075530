export const SWAP_FILE = '/swap';
export const swapMib = 256;
/** Of the memory, for the kubelet and the system. */
export const reservedMib = 164;

/** Of the first boot. The driver is the wrong one on purpose: the runtime knows better. */
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
};

/** Of the second: without swap for anybody. */
export const secondBootConfiguration = { ...firstBootConfiguration, memorySwap: { swapBehavior: 'NoSwap' } };
