import { createToken } from '@podwright/assembly-interface';

/** A unit's property with its D-Bus type: boolean, text, list of texts, 64 bit number, bytes. */
export type UnitProperty =
  | { readonly name: string; readonly type: 'b'; readonly value: boolean }
  | { readonly name: string; readonly type: 's'; readonly value: string }
  | { readonly name: string; readonly type: 'as'; readonly value: readonly string[] }
  | { readonly name: string; readonly type: 't'; readonly value: bigint }
  | { readonly name: string; readonly type: 'ay'; readonly value: Buffer };

/** What the driver `systemd` needs of systemd. Everything rejects when systemd does not answer in time. */
export interface SystemdUnits {
  /** Such as 252; -1 when it cannot be told. Asked once. */
  version(): Promise<number>;
  /** Resolves when it is there; false when it was there before. Rejects when systemd cannot make it. */
  startTransient(unit: string, properties: readonly UnitProperty[]): Promise<boolean>;
  /** For this run of the system. Rejects with systemd's reason. */
  setProperties(unit: string, properties: readonly UnitProperty[]): Promise<void>;
  /** Resolves when it is gone; one that is not there is fine. */
  stop(unit: string): Promise<void>;
  /** May come twice. */
  close(): Promise<void>;
}

/** Takes the place of the machine's systemd when somebody provides it. */
export const SYSTEMD_UNITS = createToken<SystemdUnits>('kubelet.cgroup.systemd-units/v1');
