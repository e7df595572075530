import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { defaultCacheDir } from '@podwright/lab';
import { succeed } from '../workspace/run-node.js';
import { nodeArchitectures, type NodeArchitecture, type NodePin } from './node-pins.js';

/** The architecture of this machine. Throws when there is no Node.js for it in {@link nodePins}. */
export function hostArchitecture(): NodeArchitecture {
  const found = nodeArchitectures.find((each) => each === process.arch);
  if (found === undefined || process.platform !== 'linux') {
    throw new Error(
      `this needs Linux on ${nodeArchitectures.join(' or ')}, not ${process.platform} on ${process.arch}`,
    );
  }
  return found;
}

/**
 * Path of the `node` of a pinned version. The first call downloads it from npm and checks its integrity; it stays in the
 * cache of the lab. Nothing is installed.
 */
export async function nodeProgram(
  pin: NodePin,
  architecture: NodeArchitecture,
  log: (line: string) => void,
  cacheDir = defaultCacheDir(),
): Promise<string> {
  const target = path.join(cacheDir, `node-${pin.version}-linux-${architecture}`);
  const program = path.join(target, 'package/bin/node');
  if (existsSync(program)) return program;
  // The lab removes working folders of ended processes by this name.
  const work = path.join(cacheDir, `.work-${process.pid}-${randomUUID()}`);
  await mkdir(path.join(work, 'root'), { recursive: true });
  try {
    const name = `node-linux-${architecture}@${pin.version}`;
    log(`fetching ${name}`);
    await succeed('npm', ['pack', '--silent', '--pack-destination', work, name], work);
    const tarball = path.join(work, `node-linux-${architecture}-${pin.version}.tgz`);
    const found = `sha512-${createHash('sha512')
      .update(await readFile(tarball))
      .digest('base64')}`;
    if (found !== pin.integrity[architecture]) {
      throw new Error(
        `${name} has the integrity ${found}; tools/node/node-pins.ts says ${pin.integrity[architecture]}`,
      );
    }
    const files = ['package/bin/node', 'package/LICENSE'];
    await succeed('tar', ['-xzf', tarball, '-C', path.join(work, 'root'), ...files], work);
    await rename(path.join(work, 'root'), target).catch((error: unknown) => {
      // Another process was faster; its folder is the same.
      if (!existsSync(program)) throw error;
    });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  return program;
}
