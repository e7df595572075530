import { readFile, rename, writeFile } from 'node:fs/promises';
import type { ContainerdSeries } from './binaries.js';
import { unlessMissing } from './commands.js';
import type { LabImages } from './images/test-images.js';
import type { LabLayout } from './layout.js';
import type { LabNetwork } from './network.js';

export type LabRuntime = 'containerd' | 'cri-o';

/** What other processes need to use a running lab. Written last, so a lab with a record was usable. */
export interface LabRecord {
  readonly name: string;
  /** Only of containerd. */
  readonly series?: ContainerdSeries;
  readonly runtime: LabRuntime;
  /** The runtime's program. */
  readonly daemon: string;
  readonly ctr: string;
  readonly cniDir: string;
  readonly portMappings: boolean;
  readonly network: LabNetwork;
  readonly images: LabImages;
  /** PATH and LD_LIBRARY_PATH for containerd and for programs that want to call its tools. */
  readonly env: Readonly<Record<string, string>>;
  /** Further variables of the runtime alone. */
  readonly daemonEnv: Readonly<Record<string, string>>;
  readonly registry?: { readonly address: string; readonly busybox: string };
}

export async function writeRecord(layout: LabLayout, record: LabRecord): Promise<void> {
  await writeFile(`${layout.recordFile}.new`, JSON.stringify(record, undefined, 2));
  await rename(`${layout.recordFile}.new`, layout.recordFile);
}

/** The record of a lab; undefined when the lab does not exist or never became usable. */
export async function readRecord(layout: LabLayout): Promise<LabRecord | undefined> {
  const text = await unlessMissing(readFile(layout.recordFile, 'utf8'));
  return text === undefined ? undefined : (JSON.parse(text) as LabRecord);
}
