/** What CDI puts into a container that gets a device; fields of a CDI specification. */
export interface ContainerEdits {
  /** `NAME=value`. */
  readonly env?: readonly string[];
  readonly deviceNodes?: readonly {
    readonly path: string;
    readonly hostPath?: string;
    readonly permissions?: string;
  }[];
  readonly mounts?: readonly {
    readonly hostPath: string;
    readonly containerPath: string;
    readonly options?: readonly string[];
  }[];
}

export interface TestDraDevice {
  /** Name in the ResourceSlice, a DNS label such as `gpu-0`. */
  readonly name: string;
  /** Default: the variable `DRA_<NAME>` with pool and name of the device, such as `DRA_GPU_0=node-1/gpu-0`. */
  readonly edits?: ContainerEdits;
  /** Attributes in the ResourceSlice, all of type string. */
  readonly attributes?: Readonly<Record<string, string>>;
}

export type DeviceHealthText = 'Healthy' | 'Unhealthy' | 'Unknown';
