import { breaksIn, describeContractProof } from '@podwright/contract';
import type { Explainer, NodeExplanation, PodExplanation } from '@podwright/explain-interface';
import { describeExplainerContract, type ExplainerHarness } from '@podwright/explain-interface/contract';
import { createHarness } from './fixtures/contract-harness.js';

type Broken = (good: ExplainerHarness) => Partial<ExplainerHarness>;

const podAs = (change: (explanation: PodExplanation) => Partial<PodExplanation>): Broken =>
  breaksIn('explainer', (good: Explainer) => ({
    explainPod: async (...asked: Parameters<Explainer['explainPod']>) => {
      const explanation = await good.explainPod(...asked);
      return { ...explanation, ...change(explanation) };
    },
  }));
const nodeAs = (change: (explanation: NodeExplanation) => Partial<NodeExplanation>): Broken =>
  breaksIn('explainer', (good: Explainer) => ({
    explainNode: async (signal?: AbortSignal) => {
      const explanation = await good.explainNode(signal);
      return { ...explanation, ...change(explanation) };
    },
  }));

describeContractProof('Explainer', (create) => describeExplainerContract('a broken Explainer', create), createHarness, {
  'says that it does not know a pod, and who has a similar name': {
    'it claims to know it': podAs(() => ({ known: 'here' })),
    'it has steps': podAs(() => ({ steps: [{ step: 'source', state: 'done', facts: {} }] })),
    'it names no other': podAs(() => ({ near: [] })),
    'it names every other': podAs(() => ({ near: ['default/web-7d4b9', 'default/database'] })),
  },
  'explains a pod that the kubelet has, with every step of its way': {
    'it is taken for gone': podAs(() => ({ known: 'gone' })),
    'it has no UID': podAs(({ pod: { namespace, name } }) => ({ pod: { namespace, name } })),
    'a step is missing': podAs(({ steps }) => ({ steps: steps.slice(0, -1) })),
    'its source is not done': podAs(({ steps }) => ({
      steps: steps.map((step) => (step.step === 'source' ? { ...step, state: 'now' } : step)),
    })),
  },
  'explains a pod that is gone from the journal alone': {
    'it is taken for unknown': podAs(() => ({ known: 'unknown' })),
    'it has ended as any other': podAs(() => ({ situation: 'ended' })),
    'the message is lost': podAs(() => ({ lastFailure: { step: 'admission', atMs: 0, error: '' } })),
  },
  'takes the newest pod of a name, unless the UID says which': {
    'it takes the oldest': breaksIn('explainer', (good: Explainer) => ({
      explainPod: (namespace: string, name: string) => good.explainPod(namespace, name, { uid: 'first' }),
    })),
    'it ignores the UID': breaksIn('explainer', (good: Explainer) => ({
      explainPod: (namespace: string, name: string) => good.explainPod(namespace, name),
    })),
  },
  'says why the node was not ready': {
    'it has forgotten': nodeAs(() => ({ outages: [] })),
    'it has no message': nodeAs(({ outages }) => ({ outages: outages.map((each) => ({ ...each, message: '' })) })),
  },
  'ends with the reason of the signal': {
    'the signal of a pod does not count': breaksIn('explainer', (good: Explainer) => ({
      explainPod: (namespace: string, name: string) => good.explainPod(namespace, name),
    })),
    'the signal of the node does not count': breaksIn('explainer', (good: Explainer) => ({
      explainNode: () => good.explainNode(),
    })),
  },
});
