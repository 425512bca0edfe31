/**
 * Second line of defence against names such as `__proto__` in requests: prototypes accept no new property.
 * The first is that such a name never indexes an object (`contract/values/own-value.ts`). Sealed and not
 * frozen, so that libraries can still define `toString`; `__proto__` stays, because the runtime's events
 * (1.4.4) read it.
 */
export function sealPrototypes(): void {
  for (const { prototype } of [Object, Array, Function, String]) Object.preventExtensions(prototype)
}
