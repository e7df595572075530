export { rpcErrorText } from '@podwright/cri-client-interface';
