import { breaksIn, describeContractProof } from '@podwright/contract';
import type { ApiServerWatch, KubeTransport } from '@podwright/kube-client-interface';
import { describeApiServerWatchContract, type ApiServerWatchHarness } from '@podwright/kube-client-interface/contract';
import { watchingOnTransport } from './fixtures/contract-harness.js';

const broken = (
  onServerBack: (good: ApiServerWatch) => ApiServerWatch['onServerBack'],
): ((good: ApiServerWatchHarness) => Partial<ApiServerWatchHarness>) =>
  breaksIn('kubeClient', (good) => ({ onServerBack: onServerBack(good) }));

describeContractProof(
  'ApiServerWatch',
  (create) => describeApiServerWatchContract('a broken client', create),
  (transport: KubeTransport) => watchingOnTransport(transport),
  {
    'reports the first answer after an outage, whatever it is, and no other': {
      'it reports nothing': broken(() => () => () => undefined),
      'it reports at once': broken((good) => (listener) => {
        listener();
        return good.onServerBack(listener);
      }),
      'it reports one outage only': broken((good) => (listener) => {
        const leave = good.onServerBack(() => {
          leave();
          listener();
        });
        return leave;
      }),
    },
    'reports it to everybody who listens, and to nobody else': {
      'the last who listens hears it': broken((good) => {
        let leave: () => void = () => undefined;
        return (listener) => {
          leave();
          leave = good.onServerBack(listener);
          return leave;
        };
      }),
      'who has left hears it': broken((good) => (listener) => {
        good.onServerBack(listener);
        return () => undefined;
      }),
    },
    'knows when the last call was sent that pods wait for': {
      'it knows of none': breaksIn('kubeClient', () => ({ lastUrgentCallMs: undefined })),
      'it takes each call for one': breaksIn('kubeClient', () => ({ lastUrgentCallMs: 1 })),
    },
  },
);
