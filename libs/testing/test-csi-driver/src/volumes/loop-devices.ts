import { messageOf } from '@podwright/errors';
import type { NodeTools } from './node-tools.js';

// ENXIO, in the words of losetup.
const isNotAttached = /No such device or address/;

/** The loop devices of image files. */
export class LoopDevices {
  constructor(private readonly tools: NodeTools) {}

  /** The devices of an image; normally none or one. */
  async of(image: string): Promise<readonly string[]> {
    const output = await this.tools.run('losetup', '--noheadings', '--output', 'NAME', '--associated', image);
    return output.split('\n').filter((line) => line !== '');
  }

  /** The image's device; makes one when there is none. */
  async attach(image: string): Promise<string> {
    const [known] = await this.of(image);
    if (known !== undefined) return known;
    return (await this.tools.run('losetup', '--find', '--show', image)).trim();
  }

  /** A device that is not attached is no error: the kernel detaches one late that was in use when it was asked to. */
  async detach(device: string): Promise<void> {
    await this.tools.run('losetup', '--detach', device).catch((error: unknown) => {
      if (!isNotAttached.test(messageOf(error))) throw error;
    });
  }

  /** Makes the device as large as its image. */
  async refresh(device: string): Promise<void> {
    await this.tools.run('losetup', '--set-capacity', device);
  }
}
