import type { FailureLog } from '@podwright/logging';

/** Of what is not there, or has no such value: files of a device that is down refuse to be read (EINVAL). */
const absent = new Set(['ENOENT', 'ENODEV', 'ENXIO', 'ENOTDIR', 'EINVAL', 'EOPNOTSUPP']);

/** Reads of the machine, whose failures leave something out. What is not there is no failure; the log reports the rest. */
export class DeviceReads {
  constructor(private readonly failures: Pick<FailureLog, 'failed'>) {}

  /** The result of a read, or `none` when it fails. */
  async or<T, N>(what: string, read: Promise<T>, none: N): Promise<T | N> {
    try {
      return await read;
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      if (!absent.has(code))
        this.failures.failed(`${what} ${code}`, 'Part of the machine cannot be read, the console leaves it out', {
          what,
          error,
        });
      return none;
    }
  }
}
