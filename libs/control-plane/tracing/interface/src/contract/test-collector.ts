import { Server, ServerCredentials } from '@grpc/grpc-js';
import { Reader } from '@podwright/protobuf-wire';
import type { SpanAttributes } from '../tracing.js';
import type { ReceivedSpan } from './tracer-contract.js';

const path = '/opentelemetry.proto.collector.trace.v1.TraceService/Export';

/** An OTLP collector on loopback that keeps the spans it gets. */
export class TestCollector {
  readonly spans: ReceivedSpan[] = [];
  readonly resources: SpanAttributes[] = [];
  /** Resolves with the first export. */
  readonly asked: Promise<void>;
  private readonly server = new Server();
  private port = 0;
  private noteAsked: () => void = () => undefined;

  private constructor(silent: boolean) {
    this.asked = new Promise((resolve) => (this.noteAsked = resolve));
    const bytes = (buffer: Buffer): Buffer => buffer;
    this.server.addService(
      {
        export: {
          path,
          requestStream: false,
          responseStream: false,
          requestSerialize: bytes,
          requestDeserialize: bytes,
          responseSerialize: bytes,
          responseDeserialize: bytes,
        },
      },
      {
        export: (call: { request: Buffer }, respond: (error: null, answer: Buffer) => void) => {
          this.noteAsked();
          if (silent) return;
          this.keep(call.request);
          respond(null, Buffer.alloc(0));
        },
      },
    );
  }

  static async listen({ silent = false } = {}): Promise<TestCollector> {
    const collector = new TestCollector(silent);
    collector.port = await new Promise((resolve, reject) =>
      collector.server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) =>
        error === null ? resolve(port) : reject(error),
      ),
    );
    return collector;
  }

  get address(): string {
    return `127.0.0.1:${this.port}`;
  }

  close(): void {
    this.server.forceShutdown();
  }

  private keep(request: Buffer): void {
    for (const resourceSpans of messages(request, 1)) {
      for (const resource of messages(resourceSpans, 1)) this.resources.push(attributesOf(resource, 1));
      for (const scope of messages(resourceSpans, 2)) this.spans.push(...messages(scope, 2).map(spanOf));
    }
  }
}

const kinds = { 1: 'internal', 2: 'server', 3: 'client' } as const;

// Field numbers: opentelemetry-proto v1, trace.proto and common.proto.
function spanOf(span: Buffer): ReceivedSpan {
  const [status] = messages(span, 15);
  return {
    name: texts(span, 5)[0] ?? '',
    traceId: (messages(span, 1)[0] ?? Buffer.alloc(0)).toString('hex'),
    spanId: (messages(span, 2)[0] ?? Buffer.alloc(0)).toString('hex'),
    parentSpanId: (messages(span, 4)[0] ?? Buffer.alloc(0)).toString('hex'),
    kind: kinds[(numbers(span, 6)[0] ?? 1) as keyof typeof kinds],
    attributes: attributesOf(span, 9),
    error: status === undefined || numbers(status, 3)[0] !== 2 ? undefined : texts(status, 2)[0],
  };
}

function attributesOf(message: Buffer, field: number): SpanAttributes {
  return Object.fromEntries(
    messages(message, field).map((pair) => {
      const [value = Buffer.alloc(0)] = messages(pair, 2);
      const [flag] = numbers(value, 2);
      return [
        texts(pair, 1)[0] ?? '',
        texts(value, 1)[0] ?? (flag === undefined ? (numbers(value, 3)[0] ?? 0) : flag === 1),
      ];
    }),
  );
}

const texts = (message: Buffer, field: number): string[] => messages(message, field).map(String);

function messages(message: Buffer, field: number): Buffer[] {
  return read(message, field * 8 + 2, (reader) => Buffer.from(reader.bytes()));
}

function numbers(message: Buffer, field: number): number[] {
  return read(message, field * 8, (reader) => Number(reader.int64()));
}

function read<T>(message: Buffer, wanted: number, take: (reader: Reader) => T): T[] {
  const reader = new Reader(message);
  const found: T[] = [];
  while (reader.pos < message.length) {
    const tag = reader.tag();
    if (tag === wanted) found.push(take(reader));
    else reader.skip(tag);
  }
  return found;
}
