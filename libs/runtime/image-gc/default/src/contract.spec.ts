import { describeImageGcContract } from '@podwright/image-gc-interface/contract';
import { ImageNode } from './fixtures/image-node.js';

describeImageGcContract('ThresholdImageGc', async () => {
  const node = new ImageNode();
  return {
    gc: node.gc(),
    addImage: async (name, units, options = {}) => node.add(name, units, options),
    use: async (imageId, as) => void (await node.use(imageId, as)),
    images: () => node.images(),
    obstruct: (imageId) =>
      node.cri.faults.fail(
        { rpc: 'removeImage', subject: imageId },
        { code: 'unknown', message: `image ${imageId} is stuck`, times: Infinity },
      ),
    pass: (ms) => node.clock.advance(ms),
    pendingTimers: () => node.clock.pendingTimers,
  };
});
