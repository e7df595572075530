import type { NodeTools } from './node-tools.js';

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

  async detach(device: string): Promise<void> {
    await this.tools.run('losetup', '--detach', device);
  }

  /** Makes the device as large as its image. */
  async refresh(device: string): Promise<void> {
    await this.tools.run('losetup', '--set-capacity', device);
  }
}
