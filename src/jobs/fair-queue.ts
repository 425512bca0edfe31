/** A round-robin queue: the clients take turns, however many items each of them has in the queue. */
export type FairQueue<Item> = ReturnType<typeof createFairQueue<Item>>

export function createFairQueue<Item>() {
  /**
   * The items of each client, in the order in which clients are served: a client that was just served moves
   * to the end.
   */
  const lanes = new Map<string, Set<Item>>()

  function removeFromLane(client: string, item: Item): void {
    const lane = lanes.get(client)!
    lane.delete(item)
    if (lane.size === 0) lanes.delete(client)
  }

  return {
    add(client: string, item: Item) {
      const lane = lanes.get(client) ?? new Set()
      lanes.set(client, lane.add(item))
    },
    /**
     * Takes the first item that `mayTake` allows; undefined if there is none. The client of the item moves
     * behind all other waiting clients.
     */
    take(mayTake: (item: Item, client: string) => boolean) {
      for (const [client, lane] of lanes) {
        for (const item of lane) {
          if (!mayTake(item, client)) continue
          lanes.delete(client)
          lanes.set(client, lane)
          removeFromLane(client, item)
          return { client, item }
        }
      }
      return undefined
    },
    has: (item: Item) => lanes.values().some(lane => lane.has(item)),
    /** Removes an item and returns its client; undefined if the item was not in the queue. */
    remove(item: Item) {
      const client = lanes.entries().find(([, lane]) => lane.has(item))?.[0]
      if (client !== undefined) removeFromLane(client, item)
      return client
    },
    countOf: (client: string) => lanes.get(client)?.size ?? 0,
    /** Removes and returns all items. */
    drain() {
      const items = [...lanes.values()].flatMap(lane => [...lane])
      lanes.clear()
      return items
    },
  }
}
