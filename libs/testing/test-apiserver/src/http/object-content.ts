import { ApiError, badRequest } from '@podwright/api-machinery';
import { messageOf } from '@podwright/errors';
import { cborMediaType, cborSequenceMediaType, decodeCbor, encodeCbor } from '@podwright/kube-cbor';
import {
  decodeObject,
  encodeObject,
  encodeWatchEvent,
  hasMessage,
  protobufMediaType,
  type TypedObject,
} from '@podwright/kube-protobuf';
import type { ApiResponse, ResourceRequest } from './api-request.js';
import { mapEvents, type WrittenEvent } from './map-events.js';

/** Another form than JSON of the objects in requests and answers. Inside, the server has JSON alone. */
interface ObjectContent {
  readonly mediaType: string;
  readonly watchMediaType: string;
  readonly decode: (body: Uint8Array) => unknown;
  readonly canEncode: (object: TypedObject) => boolean;
  readonly encode: (object: TypedObject) => Uint8Array;
  readonly encodeEvent: (event: WrittenEvent) => Uint8Array;
}

const protobuf: ObjectContent = {
  mediaType: protobufMediaType,
  watchMediaType: `${protobufMediaType};stream=watch`,
  decode: decodeObject,
  canEncode: ({ apiVersion = '', kind = '' }) => hasMessage(apiVersion, kind),
  encode: encodeObject,
  encodeEvent: (event) => {
    const bytes = encodeWatchEvent(event);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes.byteLength);
    return Buffer.concat([length, bytes]);
  },
};

const cbor: ObjectContent = {
  mediaType: cborMediaType,
  watchMediaType: cborSequenceMediaType,
  decode: decodeCbor,
  canEncode: () => true,
  encode: encodeCbor,
  encodeEvent: encodeCbor,
};

const jsonMediaType = 'application/json';

/** Converts requests to JSON, and answers to what the client accepts. */
export class ObjectContents {
  private readonly contents: readonly ObjectContent[];

  /** `options.cbor`: as the real server's gate CBORServingAndStorage. */
  constructor(options: { readonly cbor: boolean }) {
    this.contents = options.cbor ? [protobuf, cbor] : [protobuf];
  }

  /**
   * The request with a JSON body; patches stay.
   * @throws ApiError 400 for a malformed body, 415 for one in another form.
   */
  received(request: ResourceRequest): ResourceRequest {
    const mediaType = mediaTypeOf(request.headers['content-type']);
    if (request.method === 'PATCH' || request.body.byteLength === 0 || known.includes(mediaType)) return request;
    const content = this.contents.find((one) => one.mediaType === mediaType);
    if (content === undefined) throw unsupported(this.contents);
    const headers = { ...request.headers, 'content-type': jsonMediaType };
    return { ...request, headers, body: Buffer.from(JSON.stringify(decoded(content, request.body))) };
  }

  /** The JSON answer in the first form that the Accept header names and the server has. */
  accepted(accept: string | undefined, answer: ApiResponse): ApiResponse {
    const content = this.acceptedContent(accept);
    if (content === undefined || mediaTypeOf(answer.headers['content-type']) !== jsonMediaType) return answer;
    const { 'content-length': _length, ...headers } = answer.headers;
    if (!(answer.body instanceof Uint8Array)) {
      const type = { 'content-type': content.watchMediaType };
      return { ...answer, headers: { ...headers, ...type }, body: mapEvents(answer.body, content.encodeEvent) };
    }
    const object = JSON.parse(new TextDecoder().decode(answer.body)) as TypedObject;
    if (!content.canEncode(object)) return answer;
    const body = content.encode(object);
    const type = { 'content-type': content.mediaType, 'content-length': String(body.byteLength) };
    return { ...answer, headers: { ...headers, ...type }, body };
  }

  /** Undefined: JSON. */
  private acceptedContent(accept = ''): ObjectContent | undefined {
    for (const range of accept.split(',')) {
      const mediaType = mediaTypeOf(range);
      if (json.includes(mediaType)) return undefined;
      const content = this.contents.find((one) => one.mediaType === mediaType && !range.includes(';as='));
      if (content !== undefined) return content;
    }
    return undefined;
  }
}

const json: readonly string[] = [jsonMediaType, 'application/*', '*/*'];
const known: readonly string[] = ['', jsonMediaType, 'application/yaml'];

function mediaTypeOf(header = ''): string {
  return (header.split(';')[0] ?? '').trim();
}

function decoded(content: ObjectContent, body: Uint8Array): unknown {
  try {
    return content.decode(body);
  } catch (error) {
    throw badRequest(`unable to decode the body of type ${content.mediaType}: ${messageOf(error)}`);
  }
}

function unsupported(contents: readonly ObjectContent[]): ApiError {
  const types = [jsonMediaType, 'application/yaml', ...contents.map(({ mediaType }) => mediaType)].join(', ');
  const message = `the body of the request was in an unknown format - accepted media types include: ${types}`;
  return new ApiError(415, 'UnsupportedMediaType', message);
}
