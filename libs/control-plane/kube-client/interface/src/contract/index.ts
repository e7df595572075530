export { describeKubeClientContract } from './kube-client-contract.js';
export type { KubeClientHarness } from './kube-client-contract.js';
export { describeKubeClientFailureContract } from './kube-client-failure-contract.js';
export type { KubeClientFailureHarness } from './kube-client-failure-contract.js';
export { describeInformerContract } from './informer-contract.js';
export { ScriptedStream } from './scripted-stream.js';
export { ScriptedTransport } from './scripted-transport.js';
export type { ScriptedAnswer, ScriptedHandler } from './scripted-transport.js';
