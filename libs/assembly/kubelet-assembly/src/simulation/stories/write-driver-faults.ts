import { deviceResources, devicesOf } from './device-objects.js';
import type { Draw } from './draw.js';
import { csiCalls } from './story-csi-driver.js';
import { deviceCalls } from './story-device-plugin.js';
import type { StoryStep } from './story.js';

/** What goes wrong with the CSI driver. */
export function writeCsiFaults(draw: Draw, lastsMs: number): StoryStep[] {
  return Array.from({ length: draw.between(0, 4) }, (): StoryStep => {
    const atMs = draw.between(0, lastsMs);
    // Longer than a call may take, too.
    const forMs = draw.pick([1_000, 20_000, 150_000]);
    if (draw.oneIn(5)) return { atMs, act: 'csi-away', forMs };
    const call = draw.pick(csiCalls);
    // Nobody can notice that a volume has not been mounted, as the driver says.
    const lies = call.startsWith('nodeUn') ? (['lies'] as const) : [];
    const become = draw.pick(['fails', 'fails-done', 'hangs', ...lies] as const);
    return { atMs, act: 'csi', call, become, times: draw.pick([1, 1, 3, 10]), forMs };
  });
}

/** What goes wrong with the DRA driver. */
export const writeDraFaults = (draw: Draw, lastsMs: number): StoryStep[] =>
  Array.from({ length: draw.between(0, 3) }, (): StoryStep => {
    const atMs = draw.between(0, lastsMs);
    const forMs = draw.pick([1_000, 20_000, 150_000]);
    if (draw.oneIn(4)) return { atMs, act: 'dra-away', forMs };
    const call = draw.pick(['prepare', 'unprepare'] as const);
    const become = draw.pick(['fails', 'fails-done', 'hangs', 'lies'] as const);
    return { atMs, act: 'dra', call, become, times: draw.pick([1, 1, 3]), forMs };
  });

/** What goes wrong with device plugins. */
export const writeDeviceFaults = (draw: Draw, lastsMs: number): StoryStep[] =>
  Array.from({ length: draw.between(0, 3) }, (): StoryStep => {
    const atMs = draw.between(0, lastsMs);
    const resource = draw.pick(deviceResources);
    const forMs = draw.pick([1_000, 20_000, 150_000]);
    if (draw.oneIn(4)) return { atMs, act: 'plugin-away', resource, forMs };
    if (draw.oneIn(3)) {
      const become = draw.pick(['unhealthy', 'unlisted'] as const);
      return { atMs, act: 'device', resource, id: draw.pick(devicesOf(resource)), become, forMs };
    }
    const call = draw.pick(deviceCalls);
    // A plugin whose list ends is gone, and a real one does not notice that by itself.
    const become = call === 'list' ? 'hangs' : draw.pick(['fails', 'fails-done', 'hangs', 'lies'] as const);
    return { atMs, act: 'devices', resource, call, become, times: draw.pick([1, 1, 3]), forMs };
  });
