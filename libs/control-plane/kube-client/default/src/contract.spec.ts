import {
  describeApiServerWatchContract,
  describeInformerContract,
  describeKubeClientContract,
  describeKubeClientFailureContract,
} from '@podwright/kube-client-interface/contract';
import { onTestApiServer, onTransport, watchingOnTransport } from './fixtures/contract-harness.js';

describeKubeClientContract('TransportKubeClient', onTestApiServer);
describeApiServerWatchContract('TransportKubeClient', (transport) => watchingOnTransport(transport));
describeInformerContract('TransportKubeClient', onTestApiServer);
describeKubeClientFailureContract('TransportKubeClient', (transport) => onTransport(transport));
