import { defineModule } from '@podwright/assembly-interface';
import { KUBE_CLIENT_FACTORY } from '@podwright/kube-client-interface';
import { KubeconfigClients, kubeconfigClientsNeeds } from './kubeconfig-clients.js';
import { kubeconfigClientsConfigSchema } from './kubeconfig-clients-config.js';

export const kubeconfigClientsModule = defineModule({
  name: '@podwright/kube-client#factory',
  provides: [KUBE_CLIENT_FACTORY],
  needs: kubeconfigClientsNeeds,
  config: kubeconfigClientsConfigSchema,
  create: (deps, config) => new KubeconfigClients(deps, config),
});
