import { HealthStatus, type DeviceHealth } from '@podwright/dra-interface';

export type ReportedHealth = 'Healthy' | 'Unhealthy' | 'Unknown';

/** What a driver reported of one device. */
export interface DeviceReport {
  readonly poolName: string;
  readonly deviceName: string;
  readonly health: ReportedHealth;
  readonly message: string;
  /** How long the report is believed. */
  readonly timeoutMs: number;
}

// Source: kubernetes v1.36 pkg/kubelet/cm/dra/healthinfo.go DefaultHealthTimeout, pkg/apis/core/v1 ResourceHealth.
export const defaultTimeoutMs = 30_000;
const longestMessageBytes = 1024;
const ellipsis = '...';
/** What Go's time.Duration holds; the file must be readable for upstream. */
const mostTimeoutSeconds = 9_223_372_036n;

/** The plugin's own time stamp is ignored, as upstream does: clocks differ. */
export function deviceReport({ device, health, healthCheckTimeoutSeconds, message }: DeviceHealth): DeviceReport {
  const seconds = healthCheckTimeoutSeconds > mostTimeoutSeconds ? mostTimeoutSeconds : healthCheckTimeoutSeconds;
  return {
    poolName: device?.poolName ?? '',
    deviceName: device?.deviceName ?? '',
    health: healthOf(health),
    message: shortened(message),
    timeoutMs: seconds > 0n ? Number(seconds) * 1000 : defaultTimeoutMs,
  };
}

function healthOf(status: HealthStatus): ReportedHealth {
  if (status === HealthStatus.HEALTHY) return 'Healthy';
  return status === HealthStatus.UNHEALTHY ? 'Unhealthy' : 'Unknown';
}

/** Never ends within a character: the API server counts bytes, and refuses the whole status for one too many. */
function shortened(message: string): string {
  const bytes = Buffer.from(message);
  if (bytes.length <= longestMessageBytes) return message;
  let end = longestMessageBytes - ellipsis.length;
  while (((bytes[end] as number) & 0xc0) === 0x80) end--;
  return `${bytes.toString('utf8', 0, end)}${ellipsis}`;
}
