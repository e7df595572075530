import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeKernelAttribute } from '@podwright/block-device';
import { isMissing, messageOf } from '@podwright/errors';
import type { Logger } from '@podwright/logging';

export interface IscsiSysfsOptions {
  /** Default `/sys`. */
  readonly sysDir?: string;
  readonly logger: Logger;
}

interface Session {
  readonly host: number;
  readonly path: string;
}

/** What the kernel shows about sessions. Source: kubernetes v1.36 pkg/volume/util/device_util_linux.go. */
export class IscsiSysfs {
  private readonly sysDir: string;
  private readonly logger: Logger;

  constructor({ sysDir = '/sys', logger }: IscsiSysfsOptions) {
    this.sysDir = sysDir;
    this.logger = logger;
  }

  /** The SCSI host number of each portal with a session to the target, by its current and its configured address. */
  async hostsByPortal(iqn: string): Promise<ReadonlyMap<string, number>> {
    const hosts = new Map<string, number>();
    for (const { host, path } of await this.sessions(iqn)) {
      for (const name of (await entries(path)).filter((entry) => entry.startsWith('connection'))) {
        const connection = join(path, name, 'iscsi_connection', name);
        try {
          const read = (file: string): Promise<string> => readTrimmed(join(connection, file));
          for (const prefix of ['', 'persistent_']) {
            hosts.set(joinPortal(await read(`${prefix}address`), await read(`${prefix}port`)), host);
          }
        } catch (error) {
          this.logger.info('An iSCSI connection counts as not available', { connection, error: messageOf(error) });
        }
      }
    }
    return hosts;
  }

  /** Makes the kernel look for one LUN, and for no other: nobody would remove those again. */
  async scan(host: number, lun: string): Promise<void> {
    await writeKernelAttribute(join(this.sysDir, 'class/scsi_host', `host${host}`, 'scan'), `0 0 ${lun}`);
  }

  /** Names of the disks of a LUN, such as `sdb`, one for each session. */
  async disksOf(iqn: string, lun: string): Promise<readonly string[]> {
    const disks: string[] = [];
    for (const { host, path } of await this.sessions(iqn)) {
      const [disk] = await entries(join(path, `target${host}:0:0`, `${host}:0:0:${lun}`, 'block'));
      if (disk !== undefined) disks.push(disk);
    }
    return disks;
  }

  private async sessions(iqn: string): Promise<readonly Session[]> {
    const sessions: Session[] = [];
    const folder = join(this.sysDir, 'class/iscsi_host');
    for (const hostName of await entries(folder)) {
      const host = /^host(\d+)$/.exec(hostName)?.[1];
      if (host === undefined) continue;
      const device = join(folder, hostName, 'device');
      for (const name of (await entries(device)).filter((entry) => entry.startsWith('session'))) {
        const path = join(device, name);
        try {
          const target = await readTrimmed(join(path, 'iscsi_session', name, 'targetname'));
          if (target === iqn) sessions.push({ host: Number(host), path });
        } catch (error) {
          this.logger.info('An iSCSI session counts as not available', { session: path, error: messageOf(error) });
        }
      }
    }
    return sessions;
  }
}

async function readTrimmed(path: string): Promise<string> {
  return (await readFile(path, 'utf8')).trim();
}

/** Sorted; none for a missing folder. */
async function entries(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  return names.sort();
}

function joinPortal(address: string, port: string): string {
  return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
}
