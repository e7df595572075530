import { describe, expect, it } from '@podwright/contract';
import { yieldToEventLoop } from '@podwright/time';
import type { SpanAttributes, Tracer } from '../tracing.js';

/** A span as a collector receives it; ids are hexadecimal. */
export interface ReceivedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for the root span of a trace. */
  readonly parentSpanId: string;
  readonly kind: 'internal' | 'server' | 'client';
  readonly attributes: SpanAttributes;
  /** Undefined unless the work rejected. */
  readonly error: string | undefined;
}

/** A started tracer that samples every trace. */
export interface TracerHarness {
  readonly tracer: Tracer;
  /** Stops the tracer and resolves with all spans that it has sent. */
  finish(): Promise<readonly ReceivedSpan[]>;
}

const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

/** Every implementation of {@link Tracer} passes this suite; `create` gives a new instance per case. */
export function describeTracerContract(name: string, create: () => Promise<TracerHarness>): void {
  describe(`${name} as a Tracer`, () => {
    it('gives back what the work gives, and nests spans over awaits, each task its own', async () => {
      const { tracer, finish } = await create();
      const child = (task: string): Promise<void> =>
        tracer.trace(`${task} child`, { kind: 'client' }, yieldToEventLoop);
      const task = async (title: string): Promise<string> => {
        await yieldToEventLoop();
        await child(title);
        return title;
      };
      const outcome = await Promise.all([
        tracer.trace('a', {}, () => task('a')),
        tracer.trace('b', { attributes: { number: 1, text: 't', flag: true } }, () => task('b')),
      ]);
      expect(outcome).toEqual(['a', 'b']);
      const spans = await finish();
      const named = (title: string): ReceivedSpan | undefined => spans.find((span) => span.name === title);
      expect(spans.map((span) => span.name).sort()).toEqual(['a', 'a child', 'b', 'b child']);
      for (const title of ['a', 'b']) {
        expect(named(`${title} child`)).toMatchObject({
          kind: 'client',
          traceId: named(title)?.traceId,
          parentSpanId: named(title)?.spanId,
        });
      }
      expect(named('a')?.traceId).not.toBe(named('b')?.traceId);
      expect(named('b')).toMatchObject({ kind: 'internal', attributes: { number: 1, text: 't', flag: true } });
    });

    it('records a rejection and passes it on', async () => {
      const { tracer, finish } = await create();
      const failure = new Error('no such sandbox');
      const failing = tracer.trace('failing', {}, async () => {
        tracer.annotate({ late: 'yes' });
        throw failure;
      });
      await expect(failing).rejects.toBe(failure);
      expect(await finish()).toMatchObject([
        { name: 'failing', error: 'no such sandbox', attributes: { late: 'yes' } },
      ]);
    });

    it('goes on with the trace of a caller, and hands it to whom it calls', async () => {
      const { tracer, finish } = await create();
      let sent: Readonly<Record<string, string>> = {};
      await tracer.trace('served', { kind: 'server', carrier: { traceparent } }, async () => {
        sent = tracer.propagation();
      });
      const [span] = await finish();
      expect(span).toMatchObject({
        kind: 'server',
        traceId: traceparent.slice(3, 35),
        parentSpanId: 'b7ad6b7169203331',
      });
      expect(sent).toEqual({ traceparent: `00-${span?.traceId}-${span?.spanId}-01` });
    });

    it('has nothing to hand on or to annotate outside of a span', async () => {
      const { tracer, finish } = await create();
      expect(tracer.propagation()).toEqual({});
      tracer.annotate({ nobody: true });
      expect(await finish()).toEqual([]);
    });

    it('keeps no trace that the caller does not keep', async () => {
      const { tracer, finish } = await create();
      await tracer.trace('served', { carrier: { traceparent: traceparent.replace(/01$/, '00') } }, () =>
        tracer.trace('inner', {}, async () => undefined),
      );
      expect(await finish()).toEqual([]);
    });
  });
}
