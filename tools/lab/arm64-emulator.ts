import path from 'node:path';
import { unpackFirstThatSuits } from './first-that-suits.js';

/**
 * Unpacks an emulator of the arm64 processor, and the libraries that a dynamically linked program needs, into the cache.
 * Resolves with the command that runs a program for Linux on arm64; the program's path and arguments follow.
 */
export async function findArm64Emulator(log: (line: string) => void, cacheDir?: string): Promise<readonly string[]> {
  const wanted = {
    names: ['qemu-user', 'libc6-arm64-cross', 'libgcc-s1-arm64-cross', 'libstdc++6-arm64-cross'],
    group: 'arm64-emulator',
    suites: ['trixie'],
    // Before version 9, Debian's package is linked with libraries that the machine may not have.
    suits: (version: string) => Number.parseInt(version, 10) >= 9,
    description: 'qemu-user 9 or newer',
  } as const;
  const root = await unpackFirstThatSuits(wanted, log, cacheDir);
  return [path.join(root, 'usr/bin/qemu-aarch64'), '-L', path.join(root, 'usr/aarch64-linux-gnu')];
}
