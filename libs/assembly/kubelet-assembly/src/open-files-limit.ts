import type { Logger } from '@podwright/logging';
import { launchTool, type LaunchTool } from '@podwright/program';

/**
 * Sets the limit of open files of a process, soft and hard, as prlimit(1): Node.js has no such call. Never rejects: a
 * kubelet that may not set it (raising needs CAP_SYS_RESOURCE) logs that and goes on. Source: kubernetes v1.36
 * cmd/kubelet/app/server.go, pkg/util/rlimit.
 */
export async function setOpenFilesLimit(
  most: number,
  {
    logger,
    launch = launchTool,
    pid = process.pid,
  }: { readonly logger: Logger; readonly launch?: LaunchTool; readonly pid?: number },
): Promise<void> {
  const { problem, output } = await launch('prlimit', ['--pid', `${pid}`, `--nofile=${most}:${most}`]);
  if (problem === undefined) return;
  const error = output === '' ? problem : `${problem}: ${output.trim()}`;
  logger.error('Failed to set rlimit on max file handles', { error, maxOpenFiles: most });
}
