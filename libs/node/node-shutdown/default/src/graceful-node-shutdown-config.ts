import {
  booleanField,
  defineConfig,
  durationMsField,
  listField,
  stringField,
  type ConfigField,
} from '@podwright/assembly-interface';

/** Grace period of pods with this priority and above, up to the next entry. */
export interface PriorityGracePeriod {
  readonly priority: number;
  readonly shutdownGracePeriodSeconds: number;
}

export interface GracefulNodeShutdownConfig {
  /** Feature gate GracefulNodeShutdown; false: the manager does nothing. Default true. */
  readonly enabled: boolean;
  /** Time for all pods, in milliseconds; 0 disables graceful shutdown. Default 0. */
  readonly shutdownGracePeriodMs: number;
  /** Part of that time reserved for critical pods, in milliseconds. Default 0. */
  readonly shutdownGracePeriodCriticalPodsMs: number;
  /** Time per range of priorities; when not empty, it replaces the two periods. Default empty. */
  readonly shutdownGracePeriodByPodPriority: readonly PriorityGracePeriod[];
  /** Also terminate the pods when the kubelet itself gets SIGTERM, for machines without logind. Default false. */
  readonly endPodsOnTermination: boolean;
  /** Directory of the state file. Default `/var/lib/kubelet`. */
  readonly rootDir: string;
  /** Address of the system bus. Default: `DBUS_SYSTEM_BUS_ADDRESS`, else `unix:path=/run/dbus/system_bus_socket`. */
  readonly busAddress: string;
  /** File to write in order to raise logind's delay. Default `/etc/systemd/logind.conf.d/99-kubelet.conf`. */
  readonly logindConfFile: string;
  /** Command that takes the inhibitor lock, runs the command appended to it, and releases the lock when that ends. */
  readonly inhibitCommand: readonly string[];
}

const isPeriod = (value: unknown): value is PriorityGracePeriod => {
  if (typeof value !== 'object' || value === null) return false;
  const { priority, shutdownGracePeriodSeconds } = value as Record<string, unknown>;
  return Number.isSafeInteger(priority) && Number.isSafeInteger(shutdownGracePeriodSeconds);
};

const periodsField: ConfigField<readonly PriorityGracePeriod[]> = {
  decode: (value, field) =>
    value === undefined
      ? { ok: true, value: [] }
      : Array.isArray(value) && value.every(isPeriod)
        ? { ok: true, value }
        : {
            ok: false,
            faults: [
              { field, value, problem: 'must be a list of {priority, shutdownGracePeriodSeconds} in whole numbers' },
            ],
          },
};

export const gracefulNodeShutdownConfigSchema = defineConfig<GracefulNodeShutdownConfig>(
  {
    enabled: booleanField(true),
    shutdownGracePeriodMs: durationMsField(0),
    shutdownGracePeriodCriticalPodsMs: durationMsField(0),
    shutdownGracePeriodByPodPriority: periodsField,
    endPodsOnTermination: booleanField(false),
    rootDir: stringField('/var/lib/kubelet'),
    busAddress: stringField(process.env['DBUS_SYSTEM_BUS_ADDRESS'] ?? 'unix:path=/run/dbus/system_bus_socket'),
    logindConfFile: stringField('/etc/systemd/logind.conf.d/99-kubelet.conf'),
    inhibitCommand: listField([
      'systemd-inhibit',
      '--what=shutdown',
      '--who=kubelet',
      '--why=Kubelet needs time to handle node shutdown',
      '--mode=delay',
      '--',
    ]),
  },
  ({ shutdownGracePeriodMs, shutdownGracePeriodCriticalPodsMs }) =>
    shutdownGracePeriodCriticalPodsMs <= shutdownGracePeriodMs
      ? []
      : [
          {
            field: 'shutdownGracePeriodCriticalPodsMs',
            value: shutdownGracePeriodCriticalPodsMs,
            problem: `must be <= shutdownGracePeriodMs (${shutdownGracePeriodMs})`,
          },
        ],
);
