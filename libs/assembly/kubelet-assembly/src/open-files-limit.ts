import type { Logger } from '@podwright/logging';
import { runTool, type RunProgram } from '@podwright/program';

/**
 * Sets the limit of open files of a process, soft and hard, as prlimit(1): Node.js has no such call. Never rejects: a
 * kubelet that may not set it (raising needs CAP_SYS_RESOURCE) logs that and goes on. Source: kubernetes v1.36
 * cmd/kubelet/app/server.go, pkg/util/rlimit.
 */
export async function setOpenFilesLimit(
  most: number,
  { run, logger, pid = process.pid }: { readonly run: RunProgram; readonly logger: Logger; readonly pid?: number },
): Promise<void> {
  const { problem, output } = await runTool(run, 'prlimit', ['--pid', `${pid}`, `--nofile=${most}:${most}`], undefined);
  if (problem === undefined) return;
  const error = output === '' ? problem : `${problem}: ${output.trim()}`;
  logger.error('Failed to set rlimit on max file handles', { error, maxOpenFiles: most });
}
