/** The gates that decide which configuration is valid and what its defaults are. */
export const configurationGates: readonly string[] = [
  'CustomCPUCFSQuotaPeriod',
  'GracefulNodeShutdown',
  'GracefulNodeShutdownBasedOnPodPriority',
  'ImageMaximumGCAge',
  'KubeletCrashLoopBackOffMax',
  'KubeletEnsureSecretPulledImages',
  'LoggingAlphaOptions',
  'LoggingBetaOptions',
  'MemoryQoS',
  'NodeLogQuery',
  'NodeSwap',
  'RotateKubeletServerCertificate',
];
