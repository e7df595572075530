import { KubeletError } from '@podwright/errors';
import { runProgram, runTool, toolLauncher, type RunProgram } from '@podwright/program';
import { bindFlags } from './bind-flags.js';
import { mountCommands, type MountCommand } from './mount-commands.js';
import { resolveLinks } from './mount-point.js';
import { readMountTable, type MountEntry } from './mount-table.js';
import type { MountTools } from './mount-tools.js';

export interface MountToolsOptions {
  readonly run?: RunProgram;
  readonly list?: () => Promise<readonly MountEntry[]>;
  /** Program that mounts nfs, glusterfs, ceph and cifs: `--experimental-mounter-path`. Default: mount(8) does. */
  readonly mounterPath?: string | undefined;
}

/** Makes {@link MountTools} that run mount(8) and umount(8), found in PATH. */
export function createMountTools(options: MountToolsOptions = {}): MountTools {
  const { run = runProgram, list = readMountTable, mounterPath = '' } = options;
  // For umount(8), and for mount(8) where it has no helper.
  const launch = toolLauncher(options.run);
  let systemd: Promise<boolean> | undefined;
  const mount = async (
    { file, args, shown, hasHelper }: MountCommand,
    signal: AbortSignal | undefined,
  ): Promise<void> => {
    const { problem, output } = await (hasHelper ? runTool(run, file, args, signal) : launch(file, args, signal));
    if (problem === undefined) return;
    throw new KubeletError(
      `mount failed: ${problem}\nMounting command: ${file}\nMounting arguments: ${shown}\nOutput: ${output}`,
      { code: 'internal' },
    );
  };
  return {
    mount: async (request) => {
      const { signal } = request;
      const inScope = request.ownScope === true && (await (systemd ??= hasSystemd(run, signal)));
      const flags = async (): Promise<readonly string[]> => bindFlags(request.source, await list());
      for await (const command of mountCommands(request, { mounterPath, inScope, bindFlags: flags }))
        await mount(command, signal);
    },
    unmount: async (target, signal, { force = false } = {}) => {
      const { problem, output } = await launch('umount', force ? ['-f', target] : [target], signal);
      // What umount says about a target that is not mounted depends on the version, so the mount table decides.
      if (problem === undefined || !(await isListed(target, list))) return;
      throw new KubeletError(`unmount failed: ${problem}\nUnmounting arguments: ${target}\nOutput: ${output}`, {
        code: 'internal',
      });
    },
    list,
  };
}

async function isListed(target: string, list: MountTools['list']): Promise<boolean> {
  const table = await list();
  const path = await resolveLinks(target, table).catch(() => target);
  return table.some(({ mountPoint }) => mountPoint === path);
}

async function hasSystemd(run: RunProgram, signal: AbortSignal | undefined): Promise<boolean> {
  const args = ['--description=Kubernetes systemd probe', '--scope', 'true'];
  return (await runTool(run, 'systemd-run', args, signal)).problem === undefined;
}
