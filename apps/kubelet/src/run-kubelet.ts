import { assemble } from '@podwright/assembly';
import { KUBELET_SERVER } from '@podwright/server-interface';
import { registerProcessMetrics } from '@podwright/metrics';
import { BOOTSTRAP } from '@podwright/sync-loop-interface';
import { monitorLoopDelay } from '@podwright/time';
import { makeDataDirectories } from './data-directories.js';
import { createFoundationValues } from './foundation-values.js';
import { readKubeletSetup } from './kubelet-setup.js';
import { version } from './version.js';

// Containers live on without a kubelet, so nothing is worth waiting longer for than this.
const stopTimeoutMs = 1_500;

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

  const stopping = new AbortController();
  const stop = (signal: NodeJS.Signals): void => {
    logger.info('Stopping, containers keep running', { signal });
    stopping.abort();
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);

  const assembly = await assemble({ ...setup.assembly, values, logger, clock, stopTimeoutMs });
  try {
    await makeDataDirectories(setup.directories, logger);
    await assembly.start();
    const bootstrap = assembly.get(BOOTSTRAP);
    logger.info('Started kubelet', { listeners: assembly.get(KUBELET_SERVER).addresses() });
    bootstrap.birthCry();
    await bootstrap.run(stopping.signal);
    return 0;
  } finally {
    await assembly.stop();
    loopDelay.stop();
    await logger.flush();
  }
}
