import { assemble } from '@podwright/assembly';
import type { Assembly } from '@podwright/assembly-interface';
import type { Logger } from '@podwright/logging';
import { registerProcessMetrics } from '@podwright/metrics';
import { KUBELET_SERVER } from '@podwright/server-interface';
import { BOOTSTRAP } from '@podwright/sync-loop-interface';
import { monitorLoopDelay } from '@podwright/time';
import { makeDataDirectories } from './data-directories.js';
import { createFoundationValues } from './foundation-values.js';
import { readKubeletSetup } from './kubelet-setup.js';
import { watchStopSignals } from './stop-signals.js';
import { version } from './version.js';

// Containers live on without a kubelet, so nothing is worth waiting longer for: one manager, and all of them together.
const stopTimeoutMs = 1_000;
const stopAllTimeoutMs = 1_500;

/** Runs the kubelet until SIGTERM or SIGINT. Resolves with the exit code. */
export async function runKubelet(argv: readonly string[]): Promise<number> {
  const setup = await readKubeletSetup(argv);
  if ('answer' in setup) {
    process.stdout.write(setup.answer);
    return 0;
  }
  const { clock, logger, metrics, values } = createFoundationValues(setup.logging);
  const loopDelay = monitorLoopDelay();
  registerProcessMetrics(metrics, { clock, loopDelay });
  logger.info('Kubelet version', { kubeletVersion: version, node: process.version, nodeName: setup.facts.nodeName });
  for (const warning of setup.warnings) logger.warn(warning);
  logger.debug(5, 'KubeletConfiguration', { configuration: setup.masked });

  const { stopping, overdue } = watchStopSignals(clock, logger, stopAllTimeoutMs);
  const assembly = await assemble({ ...setup.assembly, values, logger, clock, stopTimeoutMs });
  try {
    await makeDataDirectories(setup.directories, logger);
    await Promise.race([serve(assembly, logger, stopping), overdue]);
    return 0;
  } finally {
    loopDelay.stop();
    await logger.flush();
  }
}

/** From start to stop. A signal ends a start that takes its time, too. */
async function serve(assembly: Assembly, logger: Logger, stopping: AbortSignal): Promise<void> {
  const giveUp = (): void => void assembly.stop();
  stopping.addEventListener('abort', giveUp);
  try {
    await assembly.start();
    stopping.removeEventListener('abort', giveUp);
    const bootstrap = assembly.get(BOOTSTRAP);
    logger.info('Started kubelet', { listeners: assembly.get(KUBELET_SERVER).addresses() });
    bootstrap.birthCry();
    await bootstrap.run(stopping);
  } catch (error) {
    if (!stopping.aborted) throw error;
  } finally {
    await assembly.stop();
  }
}
