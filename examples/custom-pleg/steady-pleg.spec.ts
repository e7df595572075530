import { factoryOf } from '@podwright/assembly-interface';
import { createMemoryLogger } from '@podwright/logging';
import { describePlegContract } from '@podwright/pleg-interface/contract';
import { ScriptedPodRelist } from '@podwright/pod-relist-interface/contract';
import { VirtualClock } from '@podwright/time';
import steadyPlegModule from './steady-pleg.js';

const createSteadyPleg = factoryOf(steadyPlegModule);

// The suite that every pleg passes: yours runs on a clock that stands still and a runtime in memory.
describePlegContract('SteadyPleg', { relists: true, inspects: true }, () => {
  const [clock, podRelist] = [new VirtualClock(), new ScriptedPodRelist()];
  const pleg = createSteadyPleg({ clock, podRelist, logger: createMemoryLogger() }, { periodMs: 1000 });
  return {
    pleg,
    cache: podRelist.cache,
    observe: (...change) => {
      podRelist.change(...change);
      return clock.advance(1000);
    },
    changeUnseen: async (changes, { runtimeAway }) => {
      podRelist.failing = runtimeAway;
      for (const change of changes) podRelist.change(...change);
      await clock.advance(2000);
      podRelist.failing = false;
      await clock.advance(1000);
    },
    failInspections: (podUid, failing) => {
      if (failing) podRelist.unsettled.add(podUid);
      else podRelist.unsettled.delete(podUid);
      return clock.advance(1000);
    },
    pendingTimers: () => clock.pendingTimers,
  };
});
