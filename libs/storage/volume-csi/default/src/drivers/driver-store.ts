/** A driver that is registered on this node. */
export interface RegisteredDriver {
  readonly name: string;
  /** Path of the unix socket on which it serves csi.v1. */
  readonly endpoint: string;
  /** The highest version 1.x of CSI that it supports, such as `1.0.0`. */
  readonly version: string;
}

/**
 * The registered drivers, in memory only: after a restart of the kubelet they register again. Source: kubernetes v1.36
 * pkg/volume/csi/csi_drivers_store.go.
 */
export class DriverStore {
  private readonly drivers = new Map<string, RegisteredDriver>();

  get(name: string): RegisteredDriver | undefined {
    return this.drivers.get(name);
  }

  set(driver: RegisteredDriver): void {
    this.drivers.set(driver.name, driver);
  }

  delete(name: string): void {
    this.drivers.delete(name);
  }
}
