import { readFile } from 'node:fs/promises';
import { runCommand } from '../commands.js';
import { ociArchive, type ImageSpec } from './oci-archive.js';
import { pauseProgram } from './pause-program.js';
import type { TarEntry } from './tar.js';

/** References of the images in every lab. No registry has them. */
export const labImages = {
  /** The sandbox image: exits on SIGTERM and reaps orphans, as pid 1 should. */
  pause: 'podwright.local/pause:1',
  /** A shell and the usual applets (httpd, nc, wget, ...); runs `sh` by default, as root. */
  busybox: 'podwright.local/busybox:1',
  /** The busybox image with `USER 1000:1000`. */
  numericUser: 'podwright.local/busybox-uid:1',
  /** The busybox image with `USER app`, which is uid 1000 in the image's own passwd file. */
  namedUser: 'podwright.local/busybox-user:1',
  /** The busybox image with `STOPSIGNAL SIGUSR1`. */
  stopSignal: 'podwright.local/busybox-usr1:1',
} as const;

export type LabImages = { readonly [name in keyof typeof labImages]: string };

/** Builds all test images into one archive, from a static busybox. */
export async function buildTestImages(busybox: string): Promise<Buffer> {
  return ociArchive(await testImageSpecs(busybox));
}

/** The test images, from a static busybox. */
export async function testImageSpecs(busybox: string): Promise<ImageSpec[]> {
  const program = await readFile(busybox);
  const applets = (await runCommand(busybox, ['--list'])).split('\n').filter((name) => /^[\w.[-]+$/.test(name));
  return imageSpecs(program, applets);
}

export function imageSpecs(busybox: Uint8Array, applets: readonly string[]): ImageSpec[] {
  const layer = busyboxLayer(busybox, applets);
  const pause = pauseProgram(process.arch);
  const shell = { layer, command: ['sh'] };
  return [
    pause === undefined
      ? { reference: labImages.pause, layer, entrypoint: ['/bin/sh', '-c', PAUSE_SCRIPT] }
      : {
          reference: labImages.pause,
          layer: [{ path: 'pause', type: 'file', mode: 0o755, content: pause }],
          entrypoint: ['/pause'],
        },
    { ...shell, reference: labImages.busybox },
    { ...shell, reference: labImages.numericUser, user: '1000:1000' },
    { ...shell, reference: labImages.namedUser, user: 'app' },
    { ...shell, reference: labImages.stopSignal, stopSignal: 'SIGUSR1' },
  ];
}

// pid 1 ignores signals without a handler, so a plain `sleep` would not exit on SIGTERM.
const PAUSE_SCRIPT = "trap 'exit 0' TERM INT; while :; do sleep 2147483647 & wait $!; done";

function busyboxLayer(program: Uint8Array, applets: readonly string[]): TarEntry[] {
  const text = (path: string, content: string): TarEntry => ({ path, type: 'file', content: Buffer.from(content) });
  const directories = ['bin', 'dev', 'etc', 'proc', 'root', 'run', 'sys', 'usr', 'usr/bin', 'var', 'var/log', 'home'];
  return [
    ...directories.map((path): TarEntry => ({ path, type: 'directory' })),
    { path: 'tmp', type: 'directory', mode: 0o1777 },
    { path: 'home/app', type: 'directory', uid: 1000, gid: 1000 },
    text('etc/passwd', 'root:x:0:0:root:/root:/bin/sh\napp:x:1000:1000:app:/home/app:/bin/sh\n'),
    text('etc/group', 'root:x:0:\napp:x:1000:\nextra:x:2000:app\n'),
    { path: 'bin/busybox', type: 'file', mode: 0o755, content: program },
    ...applets
      .filter((name) => name !== 'busybox')
      .map((name): TarEntry => ({ path: `bin/${name}`, type: 'symlink', linkTarget: 'busybox' })),
  ];
}
