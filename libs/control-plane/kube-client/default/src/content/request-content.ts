import type { ContentFormat } from './content-format.js';
import { jsonFormat } from './json-format.js';
import { protobufFormat } from './protobuf-format.js';

/** Which formats a client may use. */
export interface ContentConfig {
  /** Empty: protobuf, or CBOR with `preferCbor`. One without a format means JSON. */
  readonly contentType: string;
  /** Without it, CBOR means JSON. */
  readonly allowCbor: boolean;
  readonly preferCbor: boolean;
}

/**
 * Chooses the format of requests and answers. Source: kubernetes v1.36 client-go/rest/client.go and
 * cmd/kubelet/app/server.go, setContentTypeForClient.
 */
export class RequestContent {
  private cbor: ContentFormat | undefined;
  private cborRefused = false;

  constructor(private readonly config: ContentConfig) {}

  /** CBOR is loaded only where it is used. */
  async load(): Promise<void> {
    if (this.config.allowCbor) this.cbor = (await import('./cbor-format.js')).cborFormat;
  }

  /** The format of bodies to send. */
  get format(): ContentFormat {
    const { contentType, preferCbor } = this.config;
    const unset = (preferCbor ? this.cbor : undefined) ?? protobufFormat;
    const format = contentType === '' ? unset : (this.find(contentType) ?? jsonFormat);
    return format === this.cbor && this.cborRefused ? jsonFormat : format;
  }

  get accept(): string {
    const { mediaType } = this.format;
    return mediaType === protobufFormat.mediaType ? `${mediaType},${jsonFormat.mediaType}` : `${mediaType}, */*`;
  }

  /** The format of an answer; JSON when it has none, because old proxies lose the header. */
  formatOf(headers: Readonly<Record<string, string>>): ContentFormat {
    return this.find(headers['content-type'] ?? '') ?? jsonFormat;
  }

  /** After status 415 to CBOR the server gets JSON, until this process ends. */
  refused(mediaType: string | undefined): void {
    if (mediaType === this.cbor?.mediaType) this.cborRefused = true;
  }

  private find(contentType: string): ContentFormat | undefined {
    const mediaType = (contentType.split(';')[0] ?? '').trim().toLowerCase();
    // A watch has a media type of its own.
    const ofObjects = mediaType.replace(/^application\/cbor-seq$/, 'application/cbor');
    return [jsonFormat, protobufFormat, this.cbor].find((format) => format?.mediaType === ofObjects);
  }
}
