import { readdir, readFile } from 'node:fs/promises';

/** Pid of the shim that holds a sandbox: it has the sandbox's id as `-id`. */
export async function shimPid(sandboxId: string): Promise<number> {
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    const argv = command.split('\0');
    if (argv[0]?.endsWith('containerd-shim-runc-v2') === true && argv.includes(sandboxId)) return Number(pid);
  }
  throw new Error(`sandbox ${sandboxId} has no shim`);
}
