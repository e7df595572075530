import type { Draw } from './draw.js';
import { csiCalls } from './story-csi-driver.js';
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
  Array.from({ length: draw.between(0, 3) }, (): StoryStep => ({
    atMs: draw.between(0, lastsMs),
    act: 'dra',
    call: draw.pick(['prepare', 'unprepare'] as const),
    become: draw.pick(['fails', 'fails-done', 'hangs', 'lies'] as const),
    times: draw.pick([1, 1, 3]),
    forMs: draw.pick([1_000, 20_000, 150_000]),
  }));
