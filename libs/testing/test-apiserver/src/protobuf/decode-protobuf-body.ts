import { messageOf } from '@podwright/errors';
import { decodeMessage } from '@podwright/kube-protobuf';
import { badRequest } from '../api-error.js';
import { apiTypeName } from '../openapi/api-type.js';

/** The media type of bodies from Go's typed clients. */
export const protobufMediaType = 'application/vnd.kubernetes.protobuf';

// Each body begins with `k8s` and a zero byte.
const magic = [0x6b, 0x38, 0x73, 0x00];

interface Envelope {
  readonly apiVersion?: string;
  readonly kind?: string;
  /** Base64. */
  readonly raw?: string;
}

/**
 * Converts a protobuf body to JSON. Source: kubernetes v1.36 apimachinery/pkg/runtime/serializer/protobuf/protobuf.go.
 * @throws ApiError 400 for a malformed body.
 */
export function decodeProtobufBody(body: Uint8Array): Uint8Array {
  if (magic.some((byte, index) => body[index] !== byte)) {
    throw badRequest('provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]');
  }
  try {
    const envelope = decodeMessage('runtime.Unknown', body.subarray(magic.length)) as Envelope;
    const { apiVersion = '', kind = '', raw = '' } = envelope;
    const decoded = decodeMessage(messageName(apiVersion, kind), Buffer.from(raw, 'base64'));
    return new TextEncoder().encode(JSON.stringify({ apiVersion, kind, ...(decoded as object) }));
  } catch (error) {
    throw badRequest(`unable to decode the protobuf body: ${messageOf(error)}`);
  }
}

// Options such as DeleteOptions may have the version of any group.
function messageName(apiVersion: string, kind: string): string {
  if (kind.endsWith('Options')) return `meta.v1.${kind}`;
  const [group = '', version] = apiVersion.split('/');
  return version === undefined ? apiTypeName('', group, kind) : apiTypeName(group, version, kind);
}
