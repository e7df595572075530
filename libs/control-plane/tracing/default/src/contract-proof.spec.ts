import { afterEach } from '@jest/globals';
import { breaks, breaksIn, describeContractProof } from '@podwright/contract';
import type { Tracer } from '@podwright/tracing-interface';
import { describeTracerContract } from '@podwright/tracing-interface/contract';
import type { ReceivedSpan, TracerHarness } from '@podwright/tracing-interface/contract';
import { createContractHarness } from './fixtures/contract-harness.js';

type Broken = (good: TracerHarness) => Partial<TracerHarness>;

// A case that fails does not come to its end.
const open: TracerHarness[] = [];
afterEach(async () => {
  for (const { finish } of open.splice(0)) await finish();
});
async function create(): Promise<TracerHarness> {
  const harness = await createContractHarness();
  open.push(harness);
  return harness;
}

const broken = (replaced: (good: Tracer) => Partial<Tracer>): Broken => breaksIn('tracer', replaced);
const sending =
  (change: (spans: readonly ReceivedSpan[]) => readonly ReceivedSpan[]): Broken =>
  ({ finish }) => ({ finish: async () => change(await finish()) });
const sendingEach = (changed: Partial<ReceivedSpan>): Broken =>
  sending((spans) => spans.map((span) => ({ ...span, ...changed })));
const overlooksTheCaller = broken((good) => ({
  trace: (name, { carrier: _carrier, ...options }, work) => good.trace(name, options, work),
}));

describeContractProof('Tracer', (make) => describeTracerContract('a broken Tracer', make), create, {
  'gives back what the work gives, and nests spans over awaits, each task its own': {
    'it gives nothing back': broken((good) => ({
      trace: (...args) => good.trace(...args).then(() => undefined as never),
    })),
    'a span is lost': sending((spans) => spans.slice(1)),
    'no span has a parent': sendingEach({ parentSpanId: '' }),
    'each span has a trace of its own': sending((spans) =>
      spans.map((span) => ({ ...span, traceId: `the trace of ${span.name}` })),
    ),
    'the tasks share one trace': sendingEach({ traceId: '0af7651916cd43dd8448eb211c80319c' }),
    'the kind is lost': sendingEach({ kind: 'internal' }),
    'all are calls out': sendingEach({ kind: 'client' }),
    'the attributes are lost': sendingEach({ attributes: {} }),
  },
  'records a rejection and passes it on': {
    'the rejection is swallowed': broken((good) => ({
      trace: (...args) => good.trace(...args).catch(() => undefined as never),
    })),
    'another error is passed on': broken((good) => ({
      trace: (...args) => good.trace(...args).catch(() => Promise.reject(new Error('no such sandbox'))),
    })),
    'the rejection is not recorded': sendingEach({ error: undefined }),
    'late attributes are lost': broken(() => ({ annotate: () => undefined })),
  },
  'goes on with the trace of a caller, and hands it to whom it calls': {
    'it begins a trace': overlooksTheCaller,
    'the kind is lost': sendingEach({ kind: 'internal' }),
    'it hands on nothing': broken(() => ({ propagation: () => ({}) })),
    'it hands on the span of the caller': broken(() => ({
      propagation: () => ({ traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' }),
    })),
  },
  'has nothing to hand on or to annotate outside of a span': {
    'it hands on an empty header': broken(() => ({ propagation: () => ({ traceparent: '' }) })),
    'it makes a span to annotate': ({ tracer, finish }) => {
      let made = Promise.resolve();
      const annotate: Tracer['annotate'] = (attributes) =>
        void (made = tracer.trace('late', { attributes }, async () => undefined));
      return { tracer: breaks(tracer, { annotate }), finish: () => made.then(finish) };
    },
  },
  'keeps no trace that the caller does not keep': {
    'it keeps all': overlooksTheCaller,
    'it keeps what is inside': broken((good) => ({
      trace: (name, options, work) => good.trace(name, name === 'inner' ? { carrier: {} } : options, work),
    })),
  },
});
