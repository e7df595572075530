import type {
  Claim,
  Device,
  NodePrepareResourcesResponse,
  NodeUnprepareResourcesResponse,
} from '@podwright/dra-interface';
import { messageOf } from '@podwright/errors';
import { resourceClaims } from '@podwright/kube-client-interface';
import type { CdiDevice, CdiSpecs } from '../claims/cdi-spec.js';
import type { ContainerEdits, TestDraDevice } from '../test-dra-device.js';
import type { DraDriverSettings } from '../test-dra-driver-options.js';

type Settings = Pick<DraDriverSettings, 'name' | 'client' | 'devices'>;

/** The work of the two RPCs about claims. Each claim succeeds or fails alone, and may be repeated. */
export class ClaimRpcs {
  constructor(
    private readonly settings: Settings,
    private readonly specs: CdiSpecs,
  ) {}

  async prepare(claims: readonly Claim[]): Promise<NodePrepareResourcesResponse> {
    const entries = claims.map(async (claim) => {
      const answer = await this.prepareOne(claim).catch((error: unknown) => ({ devices: [], error: messageOf(error) }));
      return [claim.uid, answer] as const;
    });
    return { claims: Object.fromEntries(await Promise.all(entries)) };
  }

  async unprepare(claims: readonly Claim[]): Promise<NodeUnprepareResourcesResponse> {
    for (const { uid } of claims) await this.specs.remove(uid);
    return { claims: Object.fromEntries(claims.map(({ uid }) => [uid, { error: '' }])) };
  }

  private async prepareOne({ namespace, name, uid }: Claim): Promise<{ readonly devices: Device[]; error: string }> {
    const claim = await this.settings.client.get(resourceClaims, { namespace, name });
    if (claim.metadata?.uid !== uid) throw new Error(`claim ${namespace}/${name} is not the one with UID ${uid}`);
    const results = claim.status?.allocation?.devices?.results ?? [];
    const own = results.filter(({ driver }) => driver === this.settings.name);
    const cdiName = (device: string): string => `${uid}-${device}`;
    const specs = own.map(({ device, pool }): CdiDevice => ({
      name: cdiName(device),
      containerEdits: this.editsOf(device, pool),
    }));
    await this.specs.write(uid, `${namespace}/${name}`, specs);
    const devices = own.map(({ device, pool, request, shareID }): Device => ({
      // A request with alternatives is named `request/alternative`.
      ...{ requestNames: [request.split('/', 1)[0] ?? ''], poolName: pool, deviceName: device },
      cdiDeviceIds: [this.specs.idOf(cdiName(device))],
      ...(shareID !== undefined && { shareId: shareID }),
    }));
    return { devices, error: '' };
  }

  private editsOf(name: string, pool: string): ContainerEdits {
    const device: TestDraDevice | undefined = this.settings.devices.find((candidate) => candidate.name === name);
    if (device === undefined) throw new Error(`driver ${this.settings.name} has no device ${name}`);
    return device.edits ?? { env: [`DRA_${name.toUpperCase().replaceAll('-', '_')}=${pool}/${name}`] };
  }
}
