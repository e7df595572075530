/** What the command line says about the size of the trouble. */
export interface ChaosSize {
  /** Pods beside the one whose runtime hangs, and that one. */
  readonly pods: number;
  /** How long containerd is stopped. */
  readonly pauseSeconds: number;
  /** How long the API server is away. */
  readonly awaySeconds: number;
  /** How long pods come and go. */
  readonly soakMinutes: number;
  /** How long probes are counted. */
  readonly probeSeconds: number;
}
