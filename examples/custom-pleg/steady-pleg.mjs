// A pleg of one's own, without any build: it inspects every pod each period. Simple, not cheap. See assembly.yaml.
const token = (id) => Symbol.for(`@podwright/token:kubelet.${id}/v1`);
const [PLEG, RELIST_CONTROL, CONTAINER_RUNTIME] = ['pleg', 'pleg.relist-control', 'container-runtime'].map(token);
const [POD_CACHE_WRITER, CLOCK, LOGGER, CONFIG] = ['pod-cache-writer', 'clock', 'logger', 'steady-pleg.config'].map(
  token,
);

const createSteadyPleg = (runtime, cache, clock, logger, { periodMs }) => {
  const listeners = new Set();
  const stopping = new AbortController();
  let seen = new Map();
  let loop = Promise.resolve();
  let lastLookAt;
  const look = async () => {
    const startedAt = clock.monotonic();
    const now = new Map();
    for (const pod of await runtime.getPods({ all: true })) {
      cache.set(pod.uid, { status: await runtime.getPodStatus(pod, pod) }, startedAt);
      now.set(
        pod.uid,
        [...pod.sandboxes.map((s) => s.id + s.ready), ...pod.containers.map((c) => c.id + c.state)].join(),
      );
    }
    for (const podUid of seen.keys()) if (!now.has(podUid)) cache.delete(podUid);
    cache.advance(startedAt);
    const changed = [...new Set([...seen.keys(), ...now.keys()])].filter((uid) => seen.get(uid) !== now.get(uid));
    [seen, lastLookAt] = [now, startedAt];
    for (const podUid of changed) listeners.forEach((listener) => listener({ type: 'PodSync', podUid }));
  };
  const start = async () => {
    logger.info('Looking at every pod', { periodMs });
    loop = clock.every(periodMs, () => look().catch((err) => logger.error('look failed', { err })), stopping.signal);
  };
  const stop = () => (stopping.abort(), loop);
  const watch = (listener) => (listeners.add(listener), () => listeners.delete(listener));
  const healthy = () => (lastLookAt === undefined ? { ok: false, reason: 'has not looked yet' } : { ok: true });
  return { start, stop, watch, healthy, requestRelist: () => undefined };
};

const decode = (given) => ({ ok: true, value: { periodMs: 500, ...given } });
const requires = [CONTAINER_RUNTIME, POD_CACHE_WRITER, CLOCK, LOGGER];
const create = (resolver) => createSteadyPleg(...[...requires, CONFIG].map((need) => resolver.resolve(need)));
const register = (c) => (c.register(PLEG, { useFactory: create }), c.register(RELIST_CONTROL, { useToken: PLEG }));
export default {
  name: 'steady-pleg',
  provides: [PLEG, RELIST_CONTROL],
  requires,
  config: { token: CONFIG, decode },
  register,
};
