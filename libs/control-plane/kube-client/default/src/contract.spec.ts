import { describe } from '@jest/globals';
import {
  describeApiServerWatchContract,
  describeInformerContract,
  describeKubeClientContract,
  describeKubeClientFailureContract,
} from '@podwright/kube-client-interface/contract';
import { onTestApiServer, onTransport, speaking, watchingOnTransport } from './fixtures/contract-harness.js';

describeKubeClientContract('TransportKubeClient', onTestApiServer);
describeApiServerWatchContract('TransportKubeClient', (transport) => watchingOnTransport(transport));
describeInformerContract('TransportKubeClient', onTestApiServer);
describeKubeClientFailureContract('TransportKubeClient', (transport) => onTransport(transport));

describe.each(['application/vnd.kubernetes.protobuf', 'application/cbor'])('in %s', (contentType) => {
  describeKubeClientContract('TransportKubeClient', speaking(contentType));
  describeInformerContract('TransportKubeClient', speaking(contentType));
});
