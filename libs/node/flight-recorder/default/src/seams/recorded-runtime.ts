import type { ImageService, RpcName, RuntimeConnection, RuntimeService } from '@podwright/cri-client-interface';
import type { Seam } from '@podwright/flight-recorder-interface';
import { maskRuntimeAnswer } from '../redact/mask-runtime-answer.js';
import type { RecordingTape } from '../tape/recording-tape.js';
import { callKey } from './call-key.js';
import { recordedCalls, type CallRules } from './recorded-calls.js';
import { standIn } from './stand-in.js';

// The client is both services and the connection, whose lifecycle the kubelet does not await here.
const lifecycle = new Set(['start', 'stop', 'healthy']);

const rules = (seam: Seam): CallRules => ({
  asked: (method, [request]) =>
    lifecycle.has(method) ? undefined : { seam, method, key: callKey(method as RpcName, request) },
  kept: maskRuntimeAnswer,
});

export const recordedRuntime = (inner: RuntimeService, tape: RecordingTape): RuntimeService =>
  recordedCalls(inner, tape, rules('runtime'));

export const recordedImages = (inner: ImageService, tape: RecordingTape): ImageService =>
  recordedCalls(inner, tape, rules('images'));

const facts = ['runtimeName', 'runtimeVersion', 'runtimeApiVersion'] as const;

/** Records name and versions when they are first asked for, which is after the start. */
export function recordedConnection(inner: RuntimeConnection, tape: RecordingTape): RuntimeConnection {
  let told = '';
  return standIn(inner, (name, value) => {
    if ((facts as readonly PropertyKey[]).includes(name) && inner.runtimeName !== told) {
      told = inner.runtimeName;
      const answer = Object.fromEntries(facts.map((fact) => [fact, inner[fact]]));
      tape.answered(tape.begin({ seam: 'runtime', method: 'connection', key: '' }), answer);
    }
    return value;
  });
}
