import { describePodSourceContract } from '@podwright/pod-config-interface/contract';
import {
  apiSourceHarness,
  fileSourceHarness,
  httpSourceHarness,
  localSourceHarness,
} from './fixtures/source-harnesses.js';

describePodSourceContract('FileSource', fileSourceHarness);
describePodSourceContract('HttpSource', httpSourceHarness);
describePodSourceContract('ApiPods', apiSourceHarness);
describePodSourceContract('LocalPods', localSourceHarness);
