import { writeFileAtomically } from '@podwright/checkpoint';
import { KubeletError, messageOf } from '@podwright/errors';
import type { MessageBus } from 'dbus-native';
import { holdInhibitorLock } from './inhibitor-process.js';
import type { InhibitorLock, Logind } from './logind.js';

const logindName = 'org.freedesktop.login1';
const logindPath = '/org/freedesktop/login1';
const managerInterface = 'org.freedesktop.login1.Manager';
// Far more than a local bus needs; bounds a bus that hangs.
const callTimeoutMs = 10_000;

export interface SystemdLogindOptions {
  readonly busAddress: string;
  readonly logindConfFile: string;
  readonly inhibitCommand: readonly string[];
}

/** Connects to logind on the system bus. Source: kubernetes v1.36 pkg/kubelet/nodeshutdown/systemd/inhibit_linux.go. */
export async function connectSystemdLogind(options: SystemdLogindOptions, signal: AbortSignal): Promise<Logind> {
  // Loaded on demand: nodes without graceful shutdown save its 10 MB.
  const { createClient } = await import('dbus-native');
  signal.throwIfAborted();
  const bus = createClient({ busAddress: options.busAddress, plainValues: true, timeout: callTimeoutMs });
  let reportLoss = (_reason: Error | undefined): void => undefined;
  const lost = new Promise<Error | undefined>((resolve) => (reportLoss = resolve));
  bus.connection.on('error', (error) => reportLoss(error));
  bus.connection.on('close', (cause) => reportLoss(cause));
  const logind = new SystemdLogind(bus, options, lost);
  try {
    await logind.inhibitDelayMs(signal);
  } catch (error) {
    await logind.close();
    throw new KubeletError(`no logind on ${options.busAddress}: ${messageOf(error)}`, {
      code: 'unavailable',
      cause: error,
    });
  }
  return logind;
}

class SystemdLogind implements Logind {
  constructor(
    private readonly bus: MessageBus,
    private readonly options: SystemdLogindOptions,
    readonly lost: Promise<Error | undefined>,
  ) {}

  async inhibitDelayMs(signal?: AbortSignal): Promise<number> {
    const call = {
      destination: logindName,
      path: logindPath,
      interface: 'org.freedesktop.DBus.Properties',
      member: 'Get',
      signature: 'ss',
      body: [managerInterface, 'InhibitDelayMaxUSec'],
    };
    const microseconds = await this.bus.invoke<unknown>(call, signal === undefined ? {} : { signal });
    const value = Number(microseconds);
    if (Number.isFinite(value)) return value / 1000;
    throw new KubeletError(`InhibitDelayMaxUSec is no number: ${String(microseconds)}`, { code: 'internal' });
  }

  async raiseInhibitDelay(delayMs: number): Promise<void> {
    const seconds = Math.round(delayMs / 1000);
    const content = `# Kubelet logind override\n[Login]\nInhibitDelayMaxSec=${seconds}\n`;
    await writeFileAtomically(this.options.logindConfFile, content, { mode: 0o644 });
    const sighup = 1;
    await this.bus.invoke({
      destination: 'org.freedesktop.systemd1',
      path: '/org/freedesktop/systemd1',
      interface: 'org.freedesktop.systemd1.Manager',
      member: 'KillUnit',
      signature: 'ssi',
      body: ['systemd-logind.service', 'all', sighup],
    });
  }

  inhibit(signal: AbortSignal): Promise<InhibitorLock> {
    return holdInhibitorLock(this.options.inhibitCommand, signal);
  }

  async watchShutdown(listener: (shuttingDown: boolean) => void): Promise<() => void> {
    const rule = `type='signal',interface='${managerInterface}',member='PrepareForShutdown',path='${logindPath}'`;
    const key = this.bus.mangle(logindPath, managerInterface, 'PrepareForShutdown');
    const onSignal = (body: readonly unknown[]): void => listener(body[0] === true);
    this.bus.signals.on(key, onSignal);
    await this.bus.addMatch(rule);
    return () => this.bus.signals.off(key, onSignal);
  }

  async close(): Promise<void> {
    // `lost` already reports what is wrong with the connection.
    await this.bus.close().catch(() => undefined);
  }
}
