/** A round-robin queue: clients are served in turn, however many items one of them has waiting. */
export interface FairQueue<Item> {
  add(client: string, item: Item): void
  /** Takes the first item that `mayTake` allows. Its client goes behind all other waiting clients. */
  take(mayTake: (item: Item, client: string) => boolean): { client: string; item: Item } | undefined
  has(item: Item): boolean
  /** Returns the item's client; undefined if it was not in the queue. */
  remove(item: Item): string | undefined
  countOf(client: string): number
  /** Removes and returns all items. */
  drain(): Item[]
}

export function createFairQueue<Item>(): FairQueue<Item> {
  /** In the order of service: a client just served moves to the end. */
  const lanes = new Map<string, Set<Item>>()

  function takeOut(client: string, item: Item): void {
    const lane = lanes.get(client)!
    lane.delete(item)
    if (lane.size === 0) lanes.delete(client)
  }

  return {
    add(client, item) {
      const lane = lanes.get(client) ?? new Set()
      lanes.set(client, lane.add(item))
    },
    take(mayTake) {
      for (const [client, lane] of lanes) {
        for (const item of lane) {
          if (!mayTake(item, client)) continue
          lanes.delete(client)
          lanes.set(client, lane)
          takeOut(client, item)
          return { client, item }
        }
      }
      return undefined
    },
    has: item => lanes.values().some(lane => lane.has(item)),
    remove(item) {
      const client = lanes.entries().find(([, lane]) => lane.has(item))?.[0]
      if (client !== undefined) takeOut(client, item)
      return client
    },
    countOf: client => lanes.get(client)?.size ?? 0,
    drain() {
      const items = [...lanes.values()].flatMap(lane => [...lane])
      lanes.clear()
      return items
    },
  }
}
