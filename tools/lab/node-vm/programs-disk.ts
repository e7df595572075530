import { chmod, copyFile, mkdir, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { tryCommand } from '../commands.js';
import { PROGRAMS_DIR } from './guest-files.js';
import type { Acceleration } from './qemu-argv.js';
import type { VmTools } from './vm-tools.js';

/** Content of the second disk. */
export interface GuestPrograms {
  /** Files of this machine, by their name in the guest's /podwright. */
  readonly files: Readonly<Record<string, string>>;
  readonly contents: Readonly<Record<string, string | Uint8Array>>;
  /** Script in /podwright that Node runs once the guest is up. */
  readonly entry: string;
}

// An emulated processor translates code anew whenever V8 has written some: the interpreter needs a sixth less.
const nodeOptions = { tcg: '--jitless', kvm: '' } as const satisfies Record<Acceleration, string>;

/** Makes the second disk in `dir`: the files, the current Node, and the scripts `node` and `run` that start it. */
export async function stagePrograms(
  programs: GuestPrograms,
  dir: string,
  tools: VmTools,
  acceleration: Acceleration,
): Promise<string> {
  const folder = path.join(dir, 'programs');
  await mkdir(path.join(folder, 'lib'), { recursive: true });
  for (const [name, file] of Object.entries(programs.files)) await copyFile(file, path.join(folder, name));
  for (const [name, content] of Object.entries(programs.contents)) await writeFile(path.join(folder, name), content);
  await copyFile(process.execPath, path.join(folder, 'node.bin'));
  for (const file of await librariesOfNode()) await copyFile(file, path.join(folder, 'lib', path.basename(file)));
  const node = `LD_LIBRARY_PATH=${PROGRAMS_DIR}/lib exec ${PROGRAMS_DIR}/node.bin ${nodeOptions[acceleration]}`;
  await writeScript(path.join(folder, 'node'), `${node} "$@"`);
  await writeScript(path.join(folder, 'run'), `${node} ${PROGRAMS_DIR}/${programs.entry}`);
  const files = await Promise.all([process.execPath, ...Object.values(programs.files)].map((file) => stat(file)));
  const sizes = [...files.map(({ size }) => size), ...Object.values(programs.contents).map(({ length }) => length)];
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  const disk = path.join(dir, 'programs.ext4');
  await tools.makeDisk(folder, disk, Math.ceil(bytes / 1024 / 1024) + 96);
  await rm(folder, { recursive: true, force: true });
  return disk;
}

/** A distribution's Node needs shared libraries; the guest provides those that every Debian has. */
async function librariesOfNode(): Promise<string[]> {
  const { stdout } = await tryCommand('ldd', [process.execPath]).catch(() => ({ stdout: '' }));
  return parseLibraries(stdout);
}

/** Files in the output of `ldd`, except the C and C++ libraries, which must match the guest's own loader. */
export function parseLibraries(ldd: string): string[] {
  const files = [...ldd.matchAll(/=> (\/\S+)/g)].map(([, file = '']) => file);
  return files.filter(
    (file) => !/^(lib(c|m|dl|rt|pthread|resolv|stdc\+\+|gcc_s)\.so|ld-linux)/.test(path.basename(file)),
  );
}

async function writeScript(file: string, command: string): Promise<void> {
  await writeFile(file, `#!/bin/sh\n${command}\n`);
  await chmod(file, 0o755);
}
