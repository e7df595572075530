import type { ImageFsInfoResponse, VersionResponse } from '@podwright/cri-client-interface';
import { hasCode, KubeletError, messageOf } from '@podwright/errors';
import { type GrpcMethod } from '@podwright/grpc';
import type { RuntimeChannel } from './runtime-channel.js';

// The only version of the CRI that kubernetes v1.36 speaks: pkg/kubelet/kuberuntime/kuberuntime_manager.go.
const supportedVersion = '0.1.0';

/** Checks that the runtime answers and speaks CRI v1. Rejects with the fault and with advice on how to fix it. */
export async function connectRuntime(
  channel: RuntimeChannel,
  version: () => Promise<VersionResponse>,
  timeoutMs: number,
): Promise<VersionResponse> {
  await expectListening(channel, 'container runtime');
  const answer = await version().catch(async (error: unknown) => {
    throw hasCode(error, 'unimplemented')
      ? await explainUnimplemented(channel, error, timeoutMs)
      : failed(channel, 'container runtime', 'does not answer Version', error);
  });
  if (answer.version === supportedVersion) return answer;
  const message = `runtime api version is not supported: ${answer.runtimeName} at ${channel.socketPath} answers "${answer.version}", only "${supportedVersion}" is`;
  throw new KubeletError(message, { code: 'failed-precondition' });
}

export async function connectImages(
  channel: RuntimeChannel,
  imageFsInfo: () => Promise<ImageFsInfoResponse>,
): Promise<void> {
  await expectListening(channel, 'image service');
  await imageFsInfo().catch((error: unknown) => {
    throw hasCode(error, 'unimplemented')
      ? failed(channel, 'image service', 'does not offer runtime.v1.ImageService; is its CRI plugin enabled?', error)
      : failed(channel, 'image service', 'does not answer ImageFsInfo', error);
  });
}

const advice: Readonly<Record<string, string>> = {
  ENOENT: 'the socket does not exist; is the runtime running, and is the endpoint right?',
  ENOTDIR: 'the socket does not exist; is the endpoint right?',
  EACCES: 'permission denied; run as root or as a member of the group that owns the socket',
  ECONNREFUSED: 'the socket is there but nobody listens; has the runtime stopped?',
  ENOTSOCK: 'the file is no socket; is the endpoint right?',
};

async function expectListening(channel: RuntimeChannel, what: string): Promise<void> {
  await channel.probe().catch((error: NodeJS.ErrnoException) => {
    const why = advice[error.code ?? ''] ?? `cannot connect: ${messageOf(error)}`;
    throw new KubeletError(`${what} at ${channel.socketPath}: ${why}`, { code: 'unavailable', cause: error });
  });
}

// The check needs only the status of the call, so it neither writes nor reads messages.
const oldVersion: GrpcMethod<undefined, undefined> = {
  path: '/runtime.v1alpha2.RuntimeService/Version',
  encode: () => Buffer.alloc(0),
  decode: () => undefined,
};

async function explainUnimplemented(channel: RuntimeChannel, cause: unknown, timeoutMs: number): Promise<KubeletError> {
  const answersOld = await channel.unary(oldVersion, undefined, { timeoutMs }).then(
    () => true,
    () => false,
  );
  const problem = answersOld
    ? 'answers CRI runtime.v1alpha2 only; runtime.v1 is needed (containerd 1.6 or newer, CRI-O 1.23 or newer)'
    : 'does not offer runtime.v1.RuntimeService; is its CRI plugin enabled (containerd: "cri" in disabled_plugins)?';
  return failed(channel, 'container runtime', problem, cause);
}

function failed(channel: RuntimeChannel, what: string, problem: string, cause: unknown): KubeletError {
  const error = KubeletError.from(cause);
  return new KubeletError(`${what} at ${channel.socketPath} ${problem}: ${error.message}`, { code: error.code, cause });
}
