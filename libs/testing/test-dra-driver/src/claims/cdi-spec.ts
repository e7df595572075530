import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { writeFileAtomically } from '@podwright/checkpoint';
import { isMissing } from '@podwright/errors';
import type { ContainerEdits } from '../test-dra-device.js';

/** A device of one claim. */
export interface CdiDevice {
  readonly name: string;
  readonly containerEdits: ContainerEdits;
}

interface CdiSpec {
  readonly cdiVersion: '0.6.0';
  readonly kind: string;
  /** The driver's own record: which claim this file is for. */
  readonly annotations: Readonly<Record<'claim', string>>;
  readonly devices: readonly CdiDevice[];
}

/**
 * The CDI specifications of a driver, one file for each prepared claim. They are the driver's only memory, so that a
 * killed driver goes on where it stopped. Format: the Container Device Interface, version 0.6.0.
 */
export class CdiSpecs {
  private readonly prefix: string;

  constructor(
    private readonly dir: string,
    private readonly driver: string,
  ) {
    this.prefix = `${driver}-claim-`;
  }

  /** Full name of a device, for the runtime. */
  idOf(device: string): string {
    return `${this.driver}/device=${device}`;
  }

  /** Replaces the file of the claim. `claim` is `namespace/name`. */
  async write(uid: string, claim: string, devices: readonly CdiDevice[]): Promise<void> {
    const spec: CdiSpec = {
      ...{ cdiVersion: '0.6.0', kind: `${this.driver}/device` },
      annotations: { claim },
      devices,
    };
    await mkdir(this.dir, { recursive: true });
    await writeFileAtomically(this.fileOf(uid), JSON.stringify(spec));
  }

  async remove(uid: string): Promise<void> {
    await rm(this.fileOf(uid), { force: true });
  }

  /** `namespace/name` of every prepared claim, sorted. */
  async claims(): Promise<readonly string[]> {
    const files = await readdir(this.dir).catch((error: unknown) => {
      if (isMissing(error)) return [];
      throw error;
    });
    const own = files.filter((file) => file.startsWith(this.prefix) && file.endsWith('.json'));
    const specs = await Promise.all(own.map((file) => readFile(path.join(this.dir, file), 'utf8')));
    return specs.map((text) => (JSON.parse(text) as CdiSpec).annotations.claim).sort();
  }

  private fileOf(uid: string): string {
    return path.join(this.dir, `${this.prefix}${uid}.json`);
  }
}
