import { KubeletError, messageOf, type ErrorCode } from '@podwright/errors';
import {
  uncertainProgress,
  volumeFailure,
  type ExpandableVolumes,
  type NodeExpandRequest,
} from '@podwright/volume-interface';
import type { CsiClient } from '../client/csi-client.js';
import type { CsiOperation } from '../client/csi-operation.js';
import type { CsiVolumes } from '../csi-volumes.js';
import { csiSourceOf } from '../mount/csi-source.js';
import { volumeCapability } from '../mount/volume-capability.js';

/** Codes with which a driver says that the volume can never have this size. */
const infeasible: readonly ErrorCode[] = ['invalid-argument', 'out-of-range', 'not-found'];
// What the caller reads in these codes only a driver can say.
const ofDriver: readonly ErrorCode[] = ['failed-precondition', ...infeasible];

/** Expands volumes with NodeExpandVolume. Source: kubernetes v1.36 pkg/volume/csi/expander.go. */
export class CsiExpander implements ExpandableVolumes {
  constructor(private readonly volumes: CsiVolumes) {}

  requiresFsResize(): boolean {
    return true;
  }

  async nodeExpand(request: NodeExpandRequest, signal: AbortSignal): Promise<void> {
    await this.volumes.operation(signal, (operation) => this.expand(request, operation), request.spec);
  }

  private async expand(request: NodeExpandRequest, operation: CsiOperation): Promise<void> {
    const { volumes } = this;
    const source = csiSourceOf(request.spec);
    const { driver, handle, expandSecret, mountOptions } = source;
    const client = await notBegun('', () => volumes.client(driver));
    await requireExpansion(client, operation);
    const { namespace = '', name = '' } = expandSecret ?? {};
    const secrets = await notBegun(`expander.NodeExpand failed to get NodeExpandSecretRef ${namespace}/${name}: `, () =>
      volumes.credentials(expandSecret, operation.signal),
    );
    const mount = request.mode === 'Block' ? undefined : { mountFlags: mountOptions };
    const capability = await notBegun('', () => volumeCapability(client, source, mount, operation));
    try {
      await client.nodeExpandVolume(
        {
          volumeId: handle,
          volumePath: request.volumePath,
          capacityRange: { requiredBytes: BigInt(request.newBytes), limitBytes: 0n },
          stagingTargetPath: request.deviceMountPath,
          volumeCapability: capability,
          secrets,
        },
        operation,
      );
    } catch (error) {
      throw expandFailure(error);
    }
  }
}

async function requireExpansion(client: CsiClient, operation: CsiOperation): Promise<void> {
  const expands = await notBegun('Expander.NodeExpand failed to check if node supports expansion : ', () =>
    client.supports('EXPAND_VOLUME', operation),
  );
  if (expands) return;
  throw new KubeletError(`NodeExpand is not supported by the CSI driver ${client.driver}`, { code: 'unimplemented' });
}

/** A failure before the driver is called says nothing about the volume's size, so it is tried again. */
async function notBegun<T>(what: string, step: () => T | Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    throw uncertainProgress(new KubeletError(`${what}${messageOf(error)}`, { code: 'unavailable' }));
  }
}

function expandFailure(error: unknown): KubeletError {
  const { code } = KubeletError.from(error);
  const isUncertain = volumeFailure(error) === 'uncertain';
  // As upstream, the colon is missing when the size is infeasible.
  const colon = !isUncertain && infeasible.includes(code) ? '' : ': ';
  const message = `Expander.NodeExpand failed to expand the volume ${colon}${messageOf(error)}`;
  if (isUncertain) return uncertainProgress(new KubeletError(message, { code }));
  return new KubeletError(message, { code: ofDriver.includes(code) ? code : 'internal' });
}
