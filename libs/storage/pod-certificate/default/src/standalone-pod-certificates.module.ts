import { defineModule, factoryOf } from '@podwright/assembly-interface';
import { POD_CERTIFICATES } from '@podwright/pod-certificate-interface';
import { StandalonePodCertificates } from './standalone-pod-certificates.js';

export const podCertificateModule = defineModule({
  name: '@podwright/pod-certificate',
  provides: [POD_CERTIFICATES],
  create: () => new StandalonePodCertificates(),
});

/** Creates one without an assembly. */
export const createStandalonePodCertificates = factoryOf(podCertificateModule);
