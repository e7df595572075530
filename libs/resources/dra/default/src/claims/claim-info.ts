/** One prepared device of a claim. */
export interface ClaimDevice {
  readonly poolName: string;
  readonly deviceName: string;
  readonly shareId?: string;
  /** Empty: it serves all requests of the claim. */
  readonly requestNames: readonly string[];
  readonly cdiDeviceIds: readonly string[];
}

/** A claim that pods of this node use, or that may still have to be unprepared. */
export interface ClaimInfo {
  readonly claimUid: string;
  readonly claimName: string;
  readonly namespace: string;
  readonly podUids: ReadonlySet<string>;
  /** The devices by driver; none while the driver has prepared nothing. */
  readonly drivers: ReadonlyMap<string, readonly ClaimDevice[]>;
  /** By this process. After a restart the drivers are asked again, at the next sandbox. */
  readonly prepared: boolean;
  /** Which devices the scheduler gave it, as a text to compare. Unknown after a restart. */
  readonly allocation?: string;
}

/** The devices for one request, with their drivers; an empty request stands for all. */
export function devicesOf(
  { drivers }: ClaimInfo,
  request: string,
): readonly { readonly driver: string; readonly device: ClaimDevice }[] {
  return [...drivers].flatMap(([driver, devices]) =>
    devices
      .filter(({ requestNames }) => request === '' || requestNames.length === 0 || requestNames.includes(request))
      .map((device) => ({ driver, device })),
  );
}
