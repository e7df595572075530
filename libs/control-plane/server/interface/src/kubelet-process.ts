import { createToken } from '@podwright/assembly-interface';
import type { KubeletConfiguration } from '@podwright/kubelet-configuration';

/** The process state that /configz, /flagz, /statusz and /debug/flags/v show or change; the app provides it. */
export interface KubeletProcess {
  /** The effective configuration: flags merged, defaults applied, secrets included: for /configz alone. */
  readonly configuration: KubeletConfiguration;
  /** The value of every flag by name, as the command line sets it. */
  readonly flags: Readonly<Record<string, string>>;
  readonly version: string;
  /** Wall-clock milliseconds since 1970. */
  readonly startedMs: number;
  readonly verbosity: number;
  setVerbosity(level: number): void;
  /** Resolves when all earlier log lines have left the process; for the check `log` of /healthz. */
  flushLogs(): Promise<void>;
}

export const KUBELET_PROCESS = createToken<KubeletProcess>('kubelet.process/v1');
