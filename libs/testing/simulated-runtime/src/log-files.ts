import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { containerTerminationMessagePathAnnotation } from '@podwright/cri-client-interface';
import type { SimulatedContainer } from './simulated-container.js';

/** Writes a container's files: its log in CRI format, and its termination message. */
export class LogFiles {
  /** The last error of writing a termination message. */
  lastError: unknown;

  /** Writes the log of a started container. `at` is in Unix milliseconds. */
  async started(container: SimulatedContainer, at: number): Promise<void> {
    if (container.logPath === '') return;
    await mkdir(path.dirname(container.logPath), { recursive: true });
    const lines = (container.program.output ?? []).map((line) => `${new Date(at).toISOString()} stdout F ${line}\n`);
    await appendFile(container.logPath, lines.join(''));
  }

  /** Creates the log again after a rotation. */
  async reopened(container: SimulatedContainer): Promise<void> {
    if (container.logPath !== '') await appendFile(container.logPath, '');
  }

  /** Writes the termination message. Never rejects, because the pod's folder may have been removed already. */
  async ended(container: SimulatedContainer): Promise<void> {
    const { terminationMessage } = container.program;
    const inContainer = container.config.annotations?.[containerTerminationMessagePathAnnotation];
    const host = container.config.mounts?.find(({ containerPath }) => containerPath === inContainer)?.hostPath;
    if (terminationMessage === undefined || host === undefined) return;
    await writeFile(host, terminationMessage).catch((error: unknown) => (this.lastError = error));
  }
}
