import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { containerTerminationMessagePathAnnotation } from '@podwright/cri-client-interface';
import type { SimulatedContainer } from './simulated-container.js';

/** Writes what a container would leave on the disk: its log in CRI format, and its termination message. */
export class LogFiles {
  /** Of a termination message that could not be written. */
  lastError: unknown;

  /** Resolves when the lines are written. `at` in Unix milliseconds. */
  async started(container: SimulatedContainer, at: number): Promise<void> {
    if (container.logPath === '') return;
    await mkdir(path.dirname(container.logPath), { recursive: true });
    const lines = (container.program.output ?? []).map((line) => `${new Date(at).toISOString()} stdout F ${line}\n`);
    await appendFile(container.logPath, lines.join(''));
  }

  /** After a rotation: the log exists again. */
  async reopened(container: SimulatedContainer): Promise<void> {
    if (container.logPath !== '') await appendFile(container.logPath, '');
  }

  /** Never rejects: the folder may be gone with its pod, and a real process would not care either. */
  async ended(container: SimulatedContainer): Promise<void> {
    const { terminationMessage } = container.program;
    const inContainer = container.config.annotations?.[containerTerminationMessagePathAnnotation];
    const host = container.config.mounts?.find(({ containerPath }) => containerPath === inContainer)?.hostPath;
    if (terminationMessage === undefined || host === undefined) return;
    await writeFile(host, terminationMessage).catch((error: unknown) => (this.lastError = error));
  }
}
