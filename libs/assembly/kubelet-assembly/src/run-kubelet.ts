import { assemble } from '@podwright/assembly';
import { provideValue, type Assembly } from '@podwright/assembly-interface';
import { CGROUP_DRIVER, CGROUP_DRIVER_MISMATCH } from '@podwright/cgroup-interface';
import { CREDENTIALS_LOST } from '@podwright/cert-rotation-interface';
import { abortable, withDeadline } from '@podwright/concurrency';
import { hasCode, KubeletError } from '@podwright/errors';
import { createMountTools } from '@podwright/filesystem';
import { RECORDING_FACTS } from '@podwright/flight-recorder-interface';
import { maskConfiguration } from '@podwright/kubelet-configuration';
import { healthChecks } from '@podwright/server';
import { HEALTH_CHECKS, KUBELET_PROCESS, KUBELET_SERVER } from '@podwright/server-interface';
import { notifySystemd, SystemdWatchdog } from '@podwright/systemd';
import type { RootLogger } from '@podwright/logging';
import { runProgram } from '@podwright/program';
import { registerProcessMetrics } from '@podwright/metrics';
import { NODE_SHUTDOWN_MANAGER } from '@podwright/node-shutdown-interface';
import { BOOTSTRAP } from '@podwright/sync-loop-interface';
import { CSI_NODE_FAILED } from '@podwright/volume-csi-interface';
import { MOUNT_TOOLS } from '@podwright/volume-interface';
import { createSystemRandom, holdProcess, monitorLoopDelay, type Clock } from '@podwright/time';
import { registerComponentMetrics } from './component-metrics.js';
import { makeDataDirectories } from './data-directories.js';
import { returnExecutablePages } from './executable-pages.js';
import { prepareFirstCredentials } from './first-credentials.js';
import { createFoundationValues, type FoundationValues } from './foundation-values.js';
import { holdLockFile } from './lock-file.js';
import { ignoreSignals } from './ignored-signals.js';
import { createKubeletProcess } from './kubelet-process.js';
import type { KubeletProgram } from './kubelet-program.js';
import { readKubeletSetup, type KubeletSetup } from './kubelet-setup.js';
import { recordedAssembly } from './recorded-assembly.js';
import { recordingFacts } from './recording-facts.js';
import { setOpenFilesLimit } from './open-files-limit.js';
import { reportFailure } from './report-failure.js';
import { setProcessName } from './process-name.js';

// Containers keep running without a kubelet, so a stop need not wait longer, neither for one manager nor for all.
const managerStopTimeoutMs = 1_000;
const stopTimeoutMs = 1_500;
const readyTimeoutMs = 10_000;

/** Runs a program's kubelet until SIGTERM or SIGINT. Resolves with the exit code. */
export async function runKubelet(argv: readonly string[], program: KubeletProgram): Promise<number> {
  // As upstream prints them, which is before the logger exists.
  const onDeprecated = (line: string): void => void process.stderr.write(`${line}\n`);
  const setup = await readKubeletSetup(argv, program, { onDeprecated });
  if ('answer' in setup) {
    process.stdout.write(setup.answer);
    return 0;
  }
  const foundation = createFoundationValues(setup.foundation);
  try {
    return await runWithSetup(setup, program, foundation);
  } catch (error) {
    await foundation.logger.flush();
    reportFailure(error, { component: program.program, format: setup.foundation.logging.format, running: true });
    return 1;
  }
}

async function runWithSetup(
  setup: KubeletSetup,
  program: KubeletProgram,
  { clock, logger, metrics, values }: FoundationValues,
): Promise<number> {
  void setProcessName(program.program, logger);
  const kubeletProcess = createKubeletProcess(setup, program, { clock, logger });
  const loopDelay = monitorLoopDelay();
  registerProcessMetrics(metrics, { loopDelay });
  registerComponentMetrics(metrics, setup.featureGates);
  const kubeletVersion = setup.flags.version.reported;
  logger.info('Kubelet version', { kubeletVersion, node: process.version, nodeName: setup.facts.nodeName });
  for (const warning of setup.warnings) logger.warn(warning);
  logger.debug(5, 'KubeletConfiguration', { configuration: maskConfiguration(kubeletProcess.configuration) });

  const mounts = createMountTools({ mounterPath: setup.flags.experimentalMounterPath });
  const stopping = new AbortController();
  void returnExecutablePages({ clock, logger }, stopping.signal);
  let beforeTermination: () => Promise<void> = async () => undefined;
  // Handles the first signal only: a second one ends the process at once.
  const stop = (signal: NodeJS.Signals): void => {
    const leave = (): void => {
      logger.info('Stopping, containers keep running', { signal });
      stopping.abort();
    };
    const failed = (error: unknown): void => logger.error('Pods could not be ended before the kubelet', { error });
    if (signal === 'SIGTERM') void beforeTermination().catch(failed).then(leave);
    else leave();
  };
  let lost: KubeletError | undefined;
  const credentialsLost = (reason: string): void => {
    lost = new KubeletError(reason, { code: 'unauthenticated' });
    stopping.abort();
  };
  const cgroupDriverMismatch = (reason: string): void => {
    lost = new KubeletError(`${reason}: start the kubelet again`, { code: 'failed-precondition' });
    stopping.abort();
  };
  const csiNodeFailed = (reason: string): void => {
    lost = new KubeletError(reason, { code: 'unavailable' });
    stopping.abort();
  };
  const systemd = { run: runProgram, env: process.env };
  const watchdog = new SystemdWatchdog({ ...systemd, clock, logger, random: createSystemRandom(), pid: process.pid });
  const release = holdProcess();
  const heedSignals = ignoreSignals();
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  let releaseLockFile = async (): Promise<void> => undefined;
  let limited: Promise<void> | undefined;
  try {
    watchdog.start();
    const lock = { run: runProgram, clock, logger };
    const locked = holdLockFile(setup.flags, lock, () => stopping.abort(), stopping.signal).then((unlock) => {
      releaseLockFile = unlock;
    });
    if (!(await prepared(locked, stopping))) return 0;
    if (
      !(await prepared(prepareFirstCredentials({ clock, logger, metrics }, setup.bootstrap, stopping.signal), stopping))
    )
      return 0;
    // The other program runs while this one puts its parts together.
    limited = setOpenFilesLimit(setup.configuration.maxOpenFiles, { logger });
    for (const part of program.parts) await part.beforeStart?.(setup);
    const entries = await recordedAssembly(setup.assembly);
    const assembly = await assemble({
      ...setup.assembly,
      values: [
        ...values,
        provideValue(CREDENTIALS_LOST, credentialsLost),
        provideValue(CGROUP_DRIVER_MISMATCH, cgroupDriverMismatch),
        provideValue(CSI_NODE_FAILED, csiNodeFailed),
        provideValue(KUBELET_PROCESS, kubeletProcess),
        provideValue(RECORDING_FACTS, () =>
          recordingFacts(program, kubeletProcess, setup.ownFlags, setup.facts, entries),
        ),
        // Without the flag, an assembly file may name a provider of its own.
        ...(setup.flags.experimentalMounterPath === '' ? [] : [provideValue(MOUNT_TOOLS, mounts)]),
      ],
      logger,
      clock,
      stopTimeoutMs: managerStopTimeoutMs,
    });
    try {
      await Promise.all([makeDataDirectories(setup.directories, logger, mounts), limited]);
      beforeTermination = () => endPodsIfAsked(assembly);
      await run(assembly, logger, stopping.signal, () => {
        const driver = optionally(() => assembly.get(CGROUP_DRIVER));
        if (driver !== undefined) kubeletProcess.useCgroupDriver(driver.name());
        const checks = optionally(() => assembly.get(HEALTH_CHECKS)) ?? [];
        watchdog.useChecks(healthChecks({ clock, kubelet: kubeletProcess, checks }));
        const ready = (signal: AbortSignal) => notifySystemd(systemd, 'READY=1', signal);
        void withDeadline(clock, readyTimeoutMs, ready).catch((error: unknown) =>
          logger.error('systemd could not be told that the kubelet has started', { error }),
        );
      });
      if (lost !== undefined) throw lost;
      return 0;
    } finally {
      await stopInTime(assembly, clock, logger);
    }
  } finally {
    await releaseLockFile();
    await watchdog.stop();
    release();
    heedSignals();
    process.off('SIGTERM', stop);
    process.off('SIGINT', stop);
    loopDelay.stop();
    await limited; // its fault is no news after the error that ends the process
    await logger.flush();
  }
}

/** False when a signal came before the preparation ended. */
async function prepared(preparation: Promise<void>, { signal }: AbortController): Promise<boolean> {
  try {
    await abortable(preparation, signal);
    return true;
  } catch (error) {
    if (signal.aborted) return false;
    throw error;
  }
}

/** Resolves after a signal, also when it comes during the start. Rejects when a manager cannot start. */
async function run(assembly: Assembly, logger: RootLogger, signal: AbortSignal, started: () => void): Promise<void> {
  try {
    await abortable(assembly.start(), signal);
  } catch (error) {
    if (signal.aborted) return;
    throw error;
  }
  const bootstrap = assembly.get(BOOTSTRAP);
  started();
  logger.info('Started kubelet', { listeners: assembly.get(KUBELET_SERVER).addresses() });
  bootstrap.birthCry();
  await bootstrap.run(signal);
}

// An assembly may lack the node shutdown manager; then the pods keep running.
async function endPodsIfAsked(assembly: Assembly): Promise<void> {
  await optionally(() => assembly.get(NODE_SHUTDOWN_MANAGER))?.handleTermination();
}

function optionally<T>(get: () => T): T | undefined {
  try {
    return get();
  } catch (error) {
    if (hasCode(error, 'not-found')) return undefined;
    throw error;
  }
}

async function stopInTime(assembly: Assembly, clock: Clock, logger: RootLogger): Promise<void> {
  try {
    await withDeadline(clock, stopTimeoutMs, () => assembly.stop());
  } catch (error) {
    if (!hasCode(error, 'deadline-exceeded')) throw error;
    logger.warn('Not all managers stopped in time, ending without them', { stopTimeoutMs });
  }
}
