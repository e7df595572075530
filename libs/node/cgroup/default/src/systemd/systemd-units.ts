import { createToken } from '@podwright/assembly-interface';

/** A unit's property with its D-Bus type: boolean, text, list of texts, 64 bit number, bytes. */
export type UnitProperty =
  | { readonly name: string; readonly type: 'b'; readonly value: boolean }
  | { readonly name: string; readonly type: 's'; readonly value: string }
  | { readonly name: string; readonly type: 'as'; readonly value: readonly string[] }
  | { readonly name: string; readonly type: 't'; readonly value: bigint }
  | { readonly name: string; readonly type: 'ay'; readonly value: Buffer };

/** The systemd calls that the `systemd` driver needs. Every call rejects when systemd does not answer in time. */
export interface SystemdUnits {
  /** Such as 252; -1 when unknown. Queried once. */
  version(): Promise<number>;
  /** Resolves when the unit is started; false when it existed before. Rejects when systemd cannot start it. */
  startTransient(unit: string, properties: readonly UnitProperty[]): Promise<boolean>;
  /** Sets properties until the next boot. Rejects with systemd's reason. */
  setProperties(unit: string, properties: readonly UnitProperty[]): Promise<void>;
  /** Resolves when the unit is stopped; does nothing when it does not exist. */
  stop(unit: string): Promise<void>;
  /** May be called twice. */
  close(): Promise<void>;
}

/** Optional: replaces the machine's systemd. */
export const SYSTEMD_UNITS = createToken<SystemdUnits>('kubelet.cgroup.systemd-units/v1');
