/** Facts of the machine that do not change while it runs. */
export interface MachineInfo {
  readonly cores: number;
  readonly physicalCores: number;
  readonly sockets: number;
  /** Memory modules by type, where the machine reports them (EDAC). */
  readonly memoryModules: readonly { readonly type: string; readonly count: number; readonly bytes: number }[];
  readonly memoryBytes: number;
  readonly swapBytes: number;
  readonly machineId: string;
  readonly systemUuid: string;
  readonly bootId: string;
  /** Wall-clock milliseconds since 1970. */
  readonly bootTimeMs: number;
  readonly kernelVersion: string;
  readonly osVersion: string;
  readonly cgroupVersion: 1 | 2;
  /** Whether the kernel reports pressure (PSI) per cgroup. */
  readonly pressure: boolean;
}
