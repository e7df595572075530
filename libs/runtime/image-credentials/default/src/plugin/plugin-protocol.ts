import { KubeletError } from '@podwright/errors';
import { decodeWithSchema, map, object, pointer, readDocument, string } from '@podwright/pod-manifest';
import { durationText } from './decode-provider-file.js';

/** The request to a plugin. */
export interface PluginRequest {
  /** Image name without tag and digest. */
  readonly image: string;
  /** Empty = no token. */
  readonly serviceAccountToken: string;
  readonly serviceAccountAnnotations: Readonly<Record<string, string>>;
}

export interface PluginResponse {
  readonly cacheKeyType: string;
  /** Absent: the provider's default applies. */
  readonly cacheDurationMs?: number;
  /** Credentials by registry pattern, in the plugin's order. */
  readonly auth: Readonly<Record<string, { readonly username: string; readonly password: string }>>;
}

const responseKind = 'CredentialProviderResponse';
const schema = object({
  apiVersion: string,
  kind: string,
  cacheKeyType: string,
  cacheDuration: pointer(durationText),
  auth: map(object({ username: string, password: string })),
});

/** The request for the plugin's standard input, as Go's encoder writes it, with a line break at the end. */
export function encodeRequest(apiVersion: string, request: PluginRequest): string {
  const { image, serviceAccountToken, serviceAccountAnnotations: annotations } = request;
  const body = {
    kind: 'CredentialProviderRequest',
    apiVersion,
    image,
    ...(serviceAccountToken !== '' && { serviceAccountToken }),
    ...(Object.keys(annotations).length > 0 && { serviceAccountAnnotations: annotations }),
  };
  return `${JSON.stringify(body)}\n`;
}

/**
 * Decodes a plugin's standard output strictly. @throws KubeletError `data-loss`; of the output, the text shows only the
 * version, because the rest may be credentials.
 */
export function decodeResponse(apiVersion: string, output: string): PluginResponse {
  const fail = (message: string): never => {
    throw new KubeletError(message, { code: 'data-loss' });
  };
  const given =
    typeOf(output) ?? fail("error reading GVK from response: couldn't get version/kind; it is no JSON object");
  if (given.apiVersion !== apiVersion) {
    fail(
      `apiVersion from credential plugin response did not match expected apiVersion:${apiVersion}, actual apiVersion:${given.apiVersion.slice(0, 100)}`,
    );
  }
  const { value, faults } = decodeStrictly(output);
  if (given.kind !== responseKind || faults.length > 0) {
    fail('error decoding credential provider plugin response from stdout');
  }
  const decoded = value as {
    readonly cacheKeyType?: string;
    readonly cacheDuration?: number;
    readonly auth?: Readonly<Record<string, { readonly username?: string; readonly password?: string }>>;
  };
  const auth = Object.entries(decoded.auth ?? {}).map(
    ([pattern, { username = '', password = '' }]) => [pattern, { username, password }] as const,
  );
  return {
    cacheKeyType: decoded.cacheKeyType ?? '',
    auth: Object.fromEntries(auth),
    ...(decoded.cacheDuration !== undefined && { cacheDurationMs: decoded.cacheDuration }),
  };
}

function typeOf(output: string): { readonly apiVersion: string; readonly kind: string } | undefined {
  try {
    const { apiVersion = '', kind = '' } = JSON.parse(output) as Partial<Record<string, unknown>>;
    return typeof apiVersion === 'string' && typeof kind === 'string' ? { apiVersion, kind } : undefined;
  } catch {
    return undefined; // the caller reports it; the parser's text would show a part of the output
  }
}

function decodeStrictly(output: string): { readonly value: unknown; readonly faults: readonly unknown[] } {
  const document = readDocument(output);
  const decoded = decodeWithSchema(schema, document.value);
  return { value: decoded.value, faults: [...document.faults, ...decoded.faults] };
}
