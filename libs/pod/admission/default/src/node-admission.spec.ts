import { describeAdmissionContract } from '@podwright/admission-interface/contract';
import { createNodeAdmission } from './node-admission.js';

describeAdmissionContract('NodeAdmission', async () => createNodeAdmission());
