import { describe, expect, it } from '@podwright/contract';
import type { Decision, JournalPod } from '@podwright/journal-interface';
import type { Explainer } from '../explainer.js';
import { stepNames } from '../explained-step.js';

/** A new instance on a node without pods and with an empty journal. */
export interface ExplainerHarness {
  readonly explainer: Explainer;
  /** A manager reports a decision. */
  report(decision: Decision): void;
  /** The kubelet has this pod from now on, with an empty status. */
  have(pod: JournalPod): void;
}

const pod = (name: string, uid = `uid-${name}`): JournalPod => ({ uid, namespace: 'default', name });
const received = (of: JournalPod): Decision => ({ kind: 'pod.received', pod: of, source: 'api', operation: 'add' });
const refused = (of: JournalPod): Decision => ({
  ...{ kind: 'pod.refused', pod: of, operation: 'add' },
  ...{ reason: 'OutOfcpu', message: 'Node did not have enough resource: cpu' },
});

/** Every implementation of {@link Explainer} passes this suite; `create` gives a new instance per case. */
export function describeExplainerContract(name: string, create: () => Promise<ExplainerHarness>): void {
  describe(`${name} as an Explainer`, () => {
    it('says that it does not know a pod, and who has a similar name', async () => {
      const { explainer, have } = await create();
      have(pod('web-7d4b9'));
      have(pod('database'));
      const explanation = await explainer.explainPod('default', 'web-7d4b8');
      expect(explanation).toMatchObject({ known: 'unknown', situation: 'unknown', steps: [], containers: [] });
      expect(explanation.near).toEqual(['default/web-7d4b9']);
    });

    it('explains a pod that the kubelet has, with every step of its way', async () => {
      const { explainer, have, report } = await create();
      have(pod('web'));
      report(received(pod('web')));
      const { known, steps, pod: explained } = await explainer.explainPod('default', 'web');
      expect([known, explained.uid]).toEqual(['here', 'uid-web']);
      expect(steps.map(({ step }) => step)).toEqual([...stepNames]);
      expect(steps[0]).toMatchObject({ step: 'source', state: 'done' });
    });

    it('explains a pod that is gone from the journal alone', async () => {
      const { explainer, report } = await create();
      report(received(pod('web')));
      report(refused(pod('web')));
      const { known, situation, lastFailure } = await explainer.explainPod('default', 'web');
      expect([known, situation]).toEqual(['gone', 'refused-resources']);
      expect(lastFailure).toMatchObject({ step: 'admission', error: 'Node did not have enough resource: cpu' });
    });

    it('takes the newest pod of a name, unless the UID says which', async () => {
      const { explainer, report } = await create();
      for (const uid of ['first', 'second']) report(received(pod('web', uid)));
      expect((await explainer.explainPod('default', 'web')).pod.uid).toBe('second');
      expect((await explainer.explainPod('default', 'web', { uid: 'first' })).pod.uid).toBe('first');
    });

    it('says why the node was not ready', async () => {
      const { explainer, report } = await create();
      report({
        ...{ kind: 'node.condition', type: 'Ready', status: 'False' },
        ...{ reason: 'KubeletNotReady', message: 'container runtime is down' },
      });
      const { outages } = await explainer.explainNode();
      expect(outages).toMatchObject([{ reason: 'KubeletNotReady', message: 'container runtime is down' }]);
    });

    it('ends with the reason of the signal', async () => {
      const { explainer } = await create();
      const signal = AbortSignal.abort(new Error('nobody waits'));
      await expect(explainer.explainPod('default', 'web', { signal })).rejects.toThrow('nobody waits');
      await expect(explainer.explainNode(signal)).rejects.toThrow('nobody waits');
    });
  });
}
