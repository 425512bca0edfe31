/**
 * Loaded before the service (`--preload`): its machine's clock is ahead, by a minute unless another time is
 * given.
 */
const AHEAD = Number(process.env.FUNDUS_TEST_CLOCK_AHEAD_MS ?? 60_000)
const RealDate = Date
globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [RealDate.now() + AHEAD] : args, newTarget),
  get: (target, name) => (name === 'now' ? () => RealDate.now() + AHEAD : Reflect.get(target, name)),
})
