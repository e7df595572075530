import { ApiError } from '@podwright/api-machinery';
import { decodeCbor, encodeCbor, findItemEnd } from '@podwright/kube-cbor';
import type { KubeHttpRequest, KubeHttpResponse, KubeTransport } from '@podwright/kube-client-interface';
import { decodeObject, decodeWatchEvent, encodeObject, type TypedObject } from '@podwright/kube-protobuf';
import { subresourceKind } from '../discovery/subresource-kinds.js';
import type { ResourceTarget } from '../http/api-request.js';
import { parseResourceTarget } from '../http/resource-target.js';
import { groupVersion } from '../resources/api-resource.js';
import { ResourceTable } from '../resources/resource-table.js';

/** A form of objects in which the cases run; they are written in JSON. */
export interface CaseContent {
  readonly mediaType: string;
  readonly encode: (object: unknown) => Uint8Array;
  readonly decode: (body: Uint8Array) => unknown;
  /** Splits the bytes of a watch so far into events; returns the rest. */
  readonly events: (bytes: Buffer) => { readonly events: readonly unknown[]; readonly rest: Buffer };
}

export const protobufContent: CaseContent = {
  mediaType: 'application/vnd.kubernetes.protobuf',
  encode: (object) => encodeObject(object as TypedObject),
  decode: decodeObject,
  events: (bytes) => {
    const events: unknown[] = [];
    let rest = bytes;
    while (rest.length >= 4 && rest.length >= 4 + rest.readUInt32BE()) {
      const end = 4 + rest.readUInt32BE();
      events.push(decodeWatchEvent(rest.subarray(4, end)));
      rest = rest.subarray(end);
    }
    return { events, rest };
  },
};

export const cborContent: CaseContent = {
  mediaType: 'application/cbor',
  encode: encodeCbor,
  decode: decodeCbor,
  events: (bytes) => {
    const events: unknown[] = [];
    let rest = bytes;
    for (let end = findItemEnd()(rest); end !== undefined; end = findItemEnd()(rest)) {
      events.push(decodeCbor(rest.subarray(0, end)));
      rest = rest.subarray(end);
    }
    return { events, rest };
  },
};

/** Sends plain JSON requests in another form, and gives their answers back in JSON. Others pass as they are. */
export class ContentTransport implements KubeTransport {
  constructor(
    private readonly inner: KubeTransport,
    private readonly content: CaseContent,
  ) {}

  get server(): string {
    return this.inner.server;
  }

  start(): Promise<void> {
    return this.inner.start();
  }

  stop(): Promise<void> {
    return this.inner.stop();
  }

  closeConnections(which: 'idle' | 'all'): void {
    this.inner.closeConnections(which);
  }

  reloadCredentials(): Promise<void> {
    return this.inner.reloadCredentials();
  }

  async send(request: KubeHttpRequest, signal: AbortSignal): Promise<KubeHttpResponse> {
    const { status, headers, body } = await this.inner.send(this.sent(request), signal);
    const type = headers['content-type'] ?? '';
    if (!type.startsWith(this.content.mediaType)) return { status, headers, body };
    const isWatch = type.includes('stream=watch') || type === 'application/cbor-seq';
    const json = { ...headers, 'content-type': 'application/json' };
    return { status, headers: json, body: isWatch ? this.events(body) : this.object(body) };
  }

  private sent(request: KubeHttpRequest): KubeHttpRequest {
    const { mediaType } = this.content;
    const { headers, body } = request;
    const accept = headers['accept'] === 'application/json' ? { accept: `${mediaType},application/json` } : {};
    const isObject = body !== undefined && headers['content-type'] === 'application/json';
    const itsType = isObject ? typeOf(request) : undefined;
    if (itsType === undefined) return { ...request, headers: { ...headers, ...accept } };
    // Only JSON may leave the type out.
    const object = { ...itsType, ...(JSON.parse(String(body)) as object) };
    const type = { 'content-type': mediaType };
    return { ...request, headers: { ...headers, ...accept, ...type }, body: this.content.encode(object) };
  }

  private async *object(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of body) chunks.push(chunk);
    yield Buffer.from(JSON.stringify(this.content.decode(Buffer.concat(chunks))));
  }

  private async *events(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let bytes = Buffer.alloc(0);
    for await (const chunk of body) {
      const { events, rest } = this.content.events(Buffer.concat([bytes, chunk]));
      bytes = Buffer.from(rest);
      for (const event of events) yield Buffer.from(`${JSON.stringify(event)}\n`);
    }
  }
}

const table = new ResourceTable();

/** The type of the object that a request holds; undefined when the method is not allowed there. */
function typeOf({ method, path }: KubeHttpRequest): object | undefined {
  if (method === 'DELETE') return { apiVersion: 'v1', kind: 'DeleteOptions' };
  const target = allowedTarget(method, new URL(path, 'https://cases.invalid').pathname);
  if (target === undefined) return undefined;
  const { resource, subresource } = target;
  const { kind, group, version } =
    subresource === '' ? resource : { ...resource, ...subresourceKind(resource, subresource) };
  return { apiVersion: groupVersion({ group, version }), kind };
}

function allowedTarget(method: string, path: string): ResourceTarget | undefined {
  try {
    return parseResourceTarget(table, { method, path, query: new URLSearchParams() });
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}
