export { kubernetesVersion as version } from '@podwright/kubelet-configuration';
