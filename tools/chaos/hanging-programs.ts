import { chmod, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Lab } from '@podwright/lab';

/** Name of the runtime handler, and of the RuntimeClass, whose runtime hangs on demand. */
export const hangingHandler = 'hangs';

/** For `startLab`: a handler that runs the script of {@link HangingRuntime}, which is in the lab's PATH. */
export const hangingRuntimes = { [hangingHandler]: 'hanging-runc' };

/** What of a container hangs; the commands of runc that do it. */
export type HangingStep = 'create' | 'start' | 'stop' | 'remove';
const commands: Readonly<Record<HangingStep, string>> = {
  create: 'create',
  start: 'start',
  stop: 'kill',
  remove: 'delete',
};

/**
 * A runc that hangs for ever at one command for the containers of pods, not for their sandboxes, while a file names the
 * command.
 */
export class HangingRuntime {
  private constructor(private readonly dir: string) {}

  static async install({ layout }: Lab): Promise<HangingRuntime> {
    const dir = path.join(layout.runDir, 'hang');
    await mkdir(path.join(dir, 'containers'), { recursive: true });
    const file = path.join(layout.toolsDir, 'hanging-runc');
    await writeFile(file, runcScript(dir));
    await chmod(file, 0o755);
    return new HangingRuntime(dir);
  }

  async hang(step: HangingStep): Promise<void> {
    await writeFile(path.join(this.dir, commands[step]), '');
  }

  /** Those that hang go on. */
  async release(): Promise<void> {
    for (const command of Object.values(commands)) await rm(path.join(this.dir, command), { force: true });
  }

  /** How often the step was waited for. */
  async hangs(step: HangingStep): Promise<number> {
    const names = await readdir(this.dir);
    return names.filter((name) => name.startsWith(`waits-${commands[step]}-`)).length;
  }
}

// Only `create` says whether it is about a container or a sandbox: by its bundle. Later commands name it by its id.
const runcScript = (dir: string): string => `#!/bin/sh
command= bundle= about= last=
for argument do
  case $argument in
    create | start | kill | delete) [ -n "$command" ] || command=$argument ;;
  esac
  case $last in --bundle | -b) bundle=$argument ;; esac
  [ -e "${dir}/containers/$argument" ] && about=$argument
  last=$argument
done
if [ "$command" = create ] && grep -q '"io.kubernetes.cri.container-type":"container"' "$bundle/config.json"; then
  about=$last
  : > "${dir}/containers/$about"
fi
if [ -n "$about" ] && [ -e "${dir}/$command" ]; then
  : > "${dir}/waits-$command-$about"
  while [ -e "${dir}/$command" ]; do sleep 0.2; done
fi
exec runc "$@"
`;

/** A plugin in front of the bridge of the lab's network, which fails or hangs while a file says so. */
export class FaultyNetwork {
  private constructor(private readonly dir: string) {}

  static async install({ layout }: Lab): Promise<FaultyNetwork> {
    const dir = path.join(layout.runDir, 'faulty-network');
    await mkdir(dir, { recursive: true });
    const plugin = path.join(layout.toolsDir, 'faulty-bridge');
    await writeFile(plugin, pluginScript(dir));
    await chmod(plugin, 0o755);
    const [name = ''] = await readdir(layout.cniConfDir);
    const file = path.join(layout.cniConfDir, name);
    const text = await readFile(file, 'utf8');
    // In its place: containerd overlooks a renamed file.
    await writeFile(file, text.replace('"type": "bridge"', '"type": "faulty-bridge"'));
    return new FaultyNetwork(dir);
  }

  async be(fault: 'failing' | 'hanging' | 'well'): Promise<void> {
    for (const each of ['failing', 'hanging']) await rm(path.join(this.dir, each), { force: true });
    if (fault !== 'well') await writeFile(path.join(this.dir, fault), '');
  }

  /** True once the runtime has called the plugin, so its configuration is loaded. */
  async wasCalled(): Promise<boolean> {
    return (await readdir(this.dir)).includes('called');
  }
}

const pluginScript = (dir: string): string => `#!/bin/sh
[ "$CNI_COMMAND" = VERSION ] || : > "${dir}/called"
if [ "$CNI_COMMAND" != VERSION ] && [ -e "${dir}/failing" ]; then
  echo '{"cniVersion":"0.4.0","code":999,"msg":"the network fails on demand"}'
  exit 1
fi
while [ "$CNI_COMMAND" != VERSION ] && [ -e "${dir}/hanging" ]; do sleep 0.2; done
IFS=:
for folder in $CNI_PATH; do
  [ -x "$folder/bridge" ] && exec "$folder/bridge"
done
echo '{"cniVersion":"0.4.0","code":999,"msg":"there is no bridge plugin"}'
exit 1
`;
