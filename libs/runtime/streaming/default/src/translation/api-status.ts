import { isJsonObject, parseJsonObject } from '@podwright/kube-types';
/** The fields of metav1.Status that report how a command ended. */
export interface ApiStatus {
  readonly metadata: Readonly<Record<string, never>>;
  readonly status: 'Success' | 'Failure';
  readonly message?: string;
  readonly reason?: string;
  readonly details?: { readonly causes: readonly { readonly reason?: string; readonly message: string }[] };
  readonly code?: number;
}

export const successStatus: ApiStatus = { metadata: {}, status: 'Success' };

/** A failure with code 500, as apimachinery's NewInternalError. */
export function internalStatus(message: string): ApiStatus {
  return {
    metadata: {},
    status: 'Failure',
    message: `Internal error occurred: ${message}`,
    reason: 'InternalError',
    details: { causes: [{ message }] },
    code: 500,
  };
}

function exitStatus(code: number): ApiStatus {
  return {
    metadata: {},
    status: 'Failure',
    message: `command terminated with non-zero exit code: command terminated with exit code ${code}`,
    reason: 'NonZeroExitCode',
    details: { causes: [{ reason: 'ExitCode', message: String(code) }] },
  };
}

/**
 * Converts the text of the runtime's error stream to the status for the client; an empty text is a success. `json` is
 * false for protocols before `v4.channel.k8s.io`, where any text is a failure. Source: kubernetes v1.36
 * client-go/tools/remotecommand/v2.go, v4.go, apiserver/pkg/util/proxy/streamtranslator.go.
 */
export function clientStatus(message: string, json: boolean): ApiStatus {
  if (message === '') return successStatus;
  if (!json) return internalStatus(`error executing remote command: ${message}`);
  const said = parseJsonObject(message);
  if (said === undefined)
    return internalStatus(`error stream protocol error: invalid status in ${JSON.stringify(message)}`);
  if (said.status === 'Success') return successStatus;
  if (said.status !== 'Failure') return internalStatus('error stream protocol error: unknown error');
  if (said.reason !== 'NonZeroExitCode') return internalStatus(typeof said.message === 'string' ? said.message : '');
  return exitOf(said.details);
}

function exitOf(details: unknown): ApiStatus {
  if (!isJsonObject(details)) return internalStatus('error stream protocol error: details must be set');
  const causes: readonly unknown[] = Array.isArray(details.causes) ? details.causes : [];
  const cause = causes.filter(isJsonObject).find(({ reason }) => reason === 'ExitCode');
  if (cause === undefined) return internalStatus('error stream protocol error: no ExitCode cause given');
  const text = typeof cause.message === 'string' ? cause.message : '';
  if (/^\d{1,3}$/.test(text) && Number(text) <= 255) return exitStatus(Number(text));
  return internalStatus(`error stream protocol error: invalid exit code value ${JSON.stringify(text)}`);
}
