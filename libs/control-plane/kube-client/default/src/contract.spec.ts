import {
  describeInformerContract,
  describeKubeClientContract,
  describeKubeClientFailureContract,
} from '@podwright/kube-client-interface/contract';
import { onTestApiServer, onTransport } from './fixtures/contract-harness.js';

describeKubeClientContract('TransportKubeClient', onTestApiServer);
describeInformerContract('TransportKubeClient', onTestApiServer);
describeKubeClientFailureContract('TransportKubeClient', (transport) => onTransport(transport));
