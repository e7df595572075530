import { createToken } from '@podwright/assembly-interface';
import type { KubeletConfiguration } from '@podwright/kubelet-configuration';

/** What /configz, /flagz, /statusz and /debug/flags/v tell or change; provided by the app. */
export interface KubeletProcess {
  /** In effect, secrets masked as upstream masks them: flags merged, defaults applied. */
  readonly configuration: KubeletConfiguration;
  /** Every flag by name, as its value reads on a command line. */
  readonly flags: Readonly<Record<string, string>>;
  readonly version: string;
  /** Wall-clock milliseconds since 1970. */
  readonly startedMs: number;
  readonly verbosity: number;
  setVerbosity(level: number): void;
  /** Resolves when the log lines so far have left the process; for the check `log` of /healthz. */
  flushLogs(): Promise<void>;
}

export const KUBELET_PROCESS = createToken<KubeletProcess>('kubelet.process/v1');
